/**
 * The numbers of the classifier. Those of the scores were found by random steps on 426 labelled descriptions of the
 * development set and about 1,000 labelled ones of our own, each step kept only if the sum over all sets grew; those of
 * the training were left as they were. See DECISIONS.md, D70.
 */

/** Every number is a plain factor unless its comment says otherwise. */
export type ClassifierWeights = typeof classifierWeights

/** The weights the service runs with. */
export const classifierWeights = {
  /** A possible term (marked "?") against a plain one. */
  possibleTerm: 0.4,
  /** The exponent of a hit's information: above 1, one long term would beat two short ones. */
  lengthPower: 0.69,
  /** The words of the term stand together but in another order, or with a word between. */
  nearby: 0.97,
  /** They are all there, but far apart. */
  scattered: 0.73,
  /** The head is only mentioned, behind "with" or "for", and the other words are not ("phone with case"). */
  mentioned: 0.3,
  /** One of them is a noise word, which makes a term only in its place ("cool bag"). */
  strayNoise: 0.29,
  /** How much a head noun that follows a hit takes from it: "phone" in "phone case". */
  followedByHead: 0.16,
  /** The hit ends the noun phrase: it names the goods. */
  endsPhrase: 1,
  /** How much a hit loses per word that stands before it (a title's goods come early), and the most it can lose. */
  latePerWord: 0.049,
  lateMost: 0.37,
  /** A hit inside a longer one. */
  insideLonger: 0.11,
  /** The second and third hit of the same code, each against the one before. */
  repeated: 0.73,
  /** What a code takes from the other hits of its heading, and of its chapter. */
  sameHeading: 0.091,
  sameChapter: 0.022,
  /** The share of the text a hit covers counts this much on top. */
  coverage: 0.34,
  /** What is left of a thing beside its part ("guitar picks, acoustic guitar"), if the part is worth that much of it. */
  thingBesidePart: 0.5,
  partInSight: 0.48,
  /** The word model against the phrase hits. */
  wordModel: 0.34,
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
  /** What the information of a heeded word ("wool") adds to the worth of its goods ("sweater"). */
  saidAttribute: 0.73,
  /** Codes of a family that differ in one thing: the text is silent on it, or says otherwise. */
  silentChoice: 0.42,
  saidOtherwise: 0.014,
  /** A word of a family's name, for its codes other than the usual one, in training. */
  familyWord: 2,
  /** The curve of confidence.ts, fitted on the development set by test/bench/fit-confidence.ts. */
  confidence: {
    bias: -2.39,
    signs: [1.44, 1.42, 1.02, 0.66, 0.95, 0.39, -0.15, 0.54],
    /** The exponent of the scores by which the other candidates share what is left. */
    sharpness: 2.5,
  },
}
