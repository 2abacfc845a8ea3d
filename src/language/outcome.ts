/**
 * Tells an activity from an outcome: "Refactor the parser" says what someone does, "A wrong date is refused" what someone can
 * observe. Nobody can verify an activity from outside. It only speaks up for a first word that surely begins an activity, with
 * nothing after it that could be observed.
 */

/** Whether a requirement asks for work and names nothing that could be observed. @param text all of its lines. */
export function isActivity(text: string): boolean {
  const plain = text.replaceAll(/[*_`]/g, '').replaceAll(/\s+/g, ' ').trim();
  const work = plain.replace(subject, '');
  return activity.test(work) && !observable.test(work);
}

const subject =
  /^(?:(?:as an? [^,]{1,60}, )?(?:i|we|you|the (?:team|developers?|agents?|builders?)|developers?) (?:want to |would like to |must |should |shall |will |need to |have to |can )?|(?:must|should|shall|please) )/i;

const activity =
  /^(?:re-?)?(?:implement|refactor|use|set up|migrate|integrate|configure|install|rewrite|restructure|investigate|research|clean up|design|document|write (?:the |some |more )?(?:code|tests?|unit tests?|docs?|documentation)|add (?:the |some |more )?(?:tests?|unit tests?|logging|documentation|docs?))\b/i;

/** Words by which a sentence names something that a person or a program can see happen. */
const observable = new RegExp(
  [
    String.raw`\b(?:so that|such that|when(?:ever)?|until|unless|if|without|within|at (?:most|least)|no more than|less than|every|each|must|can(?:not)?|never)\b`,
    String.raw`\b(?:prints?|shows?|returns?|displays?|responds?|answers?|accepts?|rejects?|refuses?|exits?|saves?|stores?|sends?|receives?|fails?|passes|lists?|opens?|sees?|gets?|finds?|says?|tells?|keeps?|loads?|renders?|reports?|gives?|outputs?|yields?|computes?|calculates?|contains?|supports?|allows?|lets?|detects?|prevents?|validates?)\b`,
    String.raw`\b(?:is|are|stays?|remains?|becomes?) (?:\w+ed|shown|seen|written|kept|sent|found|told|given|empty|there|the same)\b`,
    String.raw`\b(?:error|exit (?:status|code)|message|status code)\b`,
    String.raw`\b\d+(?:\.\d+)?\s?(?:ms|s|seconds?|minutes?|%|percent|kb|mb|gb|px)(?![a-z])`,
  ].join('|'),
  'i',
);
