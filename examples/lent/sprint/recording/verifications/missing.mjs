// TEST: An entry with something missing is not taken, and the answer names what is missing
// PRD: 2.1
// RED: an entry with something missing is taken
// REQUIRES: web
// TIMEOUT: 20
const things = `http://127.0.0.1:${process.env.PORT}/things`;
const fail = (what) => {
  console.log(`an entry with something missing is taken: ${what}`);
  process.exit(1);
};

const cases = [
  [{}, 'thing,to'],
  [{ thing: 'drill' }, 'to'],
  [{ thing: '  ', to: 'Priya' }, 'thing'],
];
for (const [entry, missing] of cases) {
  const answer = await fetch(things, { method: 'POST', body: JSON.stringify(entry) });
  const said = answer.status === 422 ? (await answer.json()).missing?.join(',') : `status ${answer.status}`;
  if (said !== missing) fail(`${JSON.stringify(entry)}: expected ${missing}, got ${said}`);
}
const list = await (await fetch(things)).json();
if (list.length !== 0) fail(`it is on the list: ${JSON.stringify(list)}`);
