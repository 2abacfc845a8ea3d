/**
 * Files that a PRD gives as what to compare with: `exactly as in reference/report.txt`. A builder that may change them decides what is
 * right, so nobody changes them during a sprint.
 */

/** Words right before a file's name that say so. Where they lead to a program, it is another's work and no reference. */
const comparing =
  /\b(?:(?:exactly |just |same )?as (?:it (?:is|stands) )?(?:in|shown in|given in|listed in)|same as|identical to|equals?(?: to)?|match(?:es|ing)?|compare[ds]?(?: (?:it|them|its output|the output))? (?:with|to))\s+(?:(?:the )?(?:file|contents? of|text of|one in|those in)\s+)?(?:`([^`\s]+)`|((?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.\w+))/gi;

/** Data. A program, a guide or a setting for comparison may well be part of what is asked for. */
const data = /\.(txt|jsonl?|ya?ml|csv|tsv|xml|html?|svg|snap|golden|expected|out|sql|ics|ndjson|geojson|tex|dat)$/i;
const settings = /(^|\/)(package|package-lock|composer|deno|tsconfig[^/]*|requirements[^/]*|[^/]*config[^/]*)\.\w+$/i;

/** @returns paths as they stand there, each once */
export function givenFiles(text: string): string[] {
  const named = [...text.matchAll(comparing)].map(([, quoted, bare]) => (quoted ?? bare ?? '').replace(/^\.\//, ''));
  return [
    ...new Set(named.filter((path) => data.test(path) && !settings.test(path) && !path.startsWith('/') && !path.split('/').includes('..'))),
  ];
}
