/**
 * A person adopts their edit of a verification, in a process of its own that dies by `kill -9` at one append of the journal.
 * Arguments: sprint folder, verification, number of the event, when.
 */
import { answerEditAtRest, offerAtRest } from '../../src/host/desk-at-rest.ts';
import { dieAt, type When } from './die-at.ts';

const [sprintDir = '', verification = '', at = '0', when = 'after'] = process.argv.slice(2);

void main();

async function main(): Promise<void> {
  await dieAt(Number(at), when as When);
  const { edit } = await offerAtRest(sprintDir, verification);
  await answerEditAtRest(sprintDir, verification, { text: edit.text, answer: 'adopt' });
}
