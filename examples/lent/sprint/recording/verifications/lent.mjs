// TEST: What was lent is on the list, newest first, with who has it and since when
// PRD: 1.1
// RED: the list does not have what was lent
// REQUIRES: web
// TIMEOUT: 20
const things = `http://127.0.0.1:${process.env.PORT}/things`;
const fail = (what) => {
  console.log(`the list does not have what was lent: ${what}`);
  process.exit(1);
};

const lend = async (thing, to) => {
  const answer = await fetch(things, { method: 'POST', body: JSON.stringify({ thing, to }) });
  if (answer.status !== 201) fail(`expected 201, got ${answer.status}`);
  return answer.json();
};

const today = new Date().toISOString().slice(0, 10);
const drill = await lend('drill', 'Priya');
await lend('ladder', 'Tom & "Jo"');
if (drill.thing !== 'drill' || drill.to !== 'Priya' || drill.since !== today || drill.id === undefined) fail(JSON.stringify(drill));
const list = await (await fetch(things)).json();
const seen = list.map(({ thing, to, since }) => [thing, to, since].join('|')).join(' ');
const expected = `ladder|Tom & "Jo"|${today} drill|Priya|${today}`;
if (seen !== expected) fail(`expected ${expected}, got ${seen}`);
