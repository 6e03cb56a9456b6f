/**
 * The numbers of the classifier. Set on the development set of 426 labelled descriptions, in coarse steps, each
 * checked on both halves of the set, so that no number serves a single row.
 */

/** Every number is a plain factor unless its comment says otherwise. */
export type ClassifierWeights = typeof classifierWeights

/** The weights the service runs with. */
export const classifierWeights = {
  /** A possible term (marked "?") against a plain one. */
  possibleTerm: 0.4,
  /** The exponent of a hit's information: above 1, one long term would beat two short ones. */
  lengthPower: 1,
  /** The words of the term stand together but in another order, or with a word between. */
  nearby: 0.75,
  /** They are all there, but far apart. */
  scattered: 0.3,
  /** One of them is a noise word, which makes a term only in its place ("cool bag"). */
  strayNoise: 0.1,
  /** How much a head noun that follows a hit takes from it: "phone" in "phone case". */
  followedByHead: 0.6,
  /** The hit ends the noun phrase: it names the goods. */
  endsPhrase: 1.1,
  /** How much a hit loses per word that stands before it (a title's goods come early), and the most it can lose. */
  latePerWord: 0.015,
  lateMost: 0.4,
  /** A hit inside a longer one. */
  insideLonger: 0.15,
  /** The second and third hit of the same code, each against the one before. */
  repeated: 0.5,
  /** What a code takes from the other hits of its heading, and of its chapter. */
  sameHeading: 0.25,
  sameChapter: 0.08,
  /** The share of the text a hit covers counts this much on top. */
  coverage: 1,
  /** The word model against the phrase hits. */
  wordModel: 0.3,
  /** Words of the label against words of the terms, in training. */
  labelWord: 0.5,
  possibleWord: 0.3,
  chapterSmoothing: 20,
  headingSmoothing: 10,
  codeSmoothing: 5,
  chapterSay: 1,
  headingSay: 1,
  codeSay: 0.7,
  /** Candidates below this share of the best one's score are not named. */
  inSight: 0.05,
  /** Confidence: the exponent of the scores in the share, and the factor where no term covers anything. */
  shareSharpness: 2.5,
  coverageFloor: 0.3,
}
