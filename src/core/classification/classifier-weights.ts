/**
 * The parameters of the classifier. The parameters of the scores were found by random search on the development set
 * (426 labelled descriptions) and on about 1,000 descriptions of our own. A change was accepted only if it improved the
 * total over all sets. The parameters of the training, and the weights for sets of goods, were chosen by hand. See
 * docs/decisions/classification.md#d70.
 */

/** Every number is a factor unless its comment says otherwise. */
export type ClassifierWeights = typeof classifierWeights

export const classifierWeights = {
  /** A possible term (marked "?"), relative to a usual one. */
  possibleTerm: 0.4,
  /** The exponent of a hit's information. Above 1, one long term would beat two short ones. */
  lengthPower: 0.69,
  /** The words of the term are close together, but in another order or with a word between them. */
  nearby: 0.97,
  /** The words of the term are far apart. */
  scattered: 0.73,
  /** The head comes after "with" or "for", and the other words do not ("phone with case"). */
  mentioned: 0.3,
  /** A noise word of the term is in another place: "bag, cool" is hardly a "cool bag". */
  strayNoise: 0.29,
  /** The loss of a hit before a head noun: "phone" in "phone case". */
  followedByHead: 0.16,
  /** The hit ends a noun phrase. */
  endsPhrase: 1,
  /** The loss of a hit per word before it, and the maximum loss. Titles name the goods early. */
  latePerWord: 0.049,
  lateMost: 0.37,
  /** A hit inside a longer one. */
  insideLonger: 0.11,
  /** A material or ingredient in front of the goods that contain it ("argan oil shampoo"). */
  containedMaterial: 0.3,
  /** Each further hit of the same code, relative to the one before. */
  repeated: 0.73,
  /** The share that a code gets of the scores of other codes in its heading, and in its chapter. */
  sameHeading: 0.091,
  sameChapter: 0.022,
  /** The bonus for a hit that covers the whole text. */
  coverage: 0.34,
  /**
   * A thing that is named beside its part ("guitar picks, acoustic guitar"). It applies if the part has at least
   * `minPartShare` of the thing's score.
   */
  thingBesidePart: 0.5,
  minPartShare: 0.48,
  /** In a set, goods beside those that give the essential character, which need this share of the score. */
  otherInSet: 0.25,
  minEssentialShare: 0.3,
  /** Candidates below this share of the best score are dropped. */
  minScoreShare: 0.02,
  /** The bonus for the information of a mention ("wool") that the goods' family ("sweater") uses. */
  attributeBonus: 0.73,
  /** A code of a family that differs in one dimension: the text does not mention it, or mentions another value. */
  notMentioned: 0.42,
  contradicted: 0.014,
  /**
   * The text model.
   * - `heading`, `subheading`: the powers of their probabilities. With answers, only headings count.
   * - `withFacts`: with facts, the power of headings.
   * - `alternatives`: for the codes after the first, all powers are multiplied by this.
   * - `proposedShare`: the share of the best score that a code gets if only the text model proposes it.
   * - `minShare`: codes below this share of the best score are dropped.
   * - `alone`: if no term was found, the best heading needs this probability.
   * - `withoutNumbers`: and this one if the numbers of the text are left out.
   */
  textModel: {
    heading: 1,
    subheading: 1.4,
    withFacts: 0.3,
    alternatives: 0.6,
    proposedShare: 0.2,
    minShare: 0.001,
    alone: 0.25,
    withoutNumbers: 0.1,
  },
  /** Codes below this share of the best score are not listed as candidates. */
  listedShare: 0.01,
  /**
   * The logistic functions of the confidence, for texts that are written as titles and for others, fitted on rows that
   * the terms were not tuned on, or before they were (test/bench/confidence). The features are in the order of
   * `FEATURES`.
   */
  confidence: {
    titles: { bias: 0.22, features: [1.52, 1.97, -1.12, 1.45, -1.3, 1, -1.87] },
    others: { bias: -1.06, features: [1.51, 2.39, 0, 1.7, -1, 1.57, -0.65] },
    /** The candidates have shares by their scores to this power. */
    sharpness: 1,
  },
}
