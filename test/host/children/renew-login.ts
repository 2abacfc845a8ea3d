/** Lends a login as a sandbox gets it, renews the copy, and puts it back; prints what is told. */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lendLogin } from '../../../src/host/programs/lent-login.ts';

const [file = '', folder = '', renewed = ''] = process.argv.slice(2);
const lent = lendLogin(file, folder, (note) => void process.stderr.write(note));
writeFileSync(join(folder, basename(file)), renewed);
lent.end();
