/** The scripts of a package.json, by name: what `npm run NAME` runs. */
import { fieldsOf, readJson } from '../ground/loose.ts';

/** @param text empty where there is no package.json. */
export function packageScripts(text: string): Readonly<Record<string, string>> {
  const scripts = Object.entries(fieldsOf(fieldsOf(readJson(text))['scripts']));
  return Object.fromEntries(scripts.filter((one): one is [string, string] => typeof one[1] === 'string'));
}
