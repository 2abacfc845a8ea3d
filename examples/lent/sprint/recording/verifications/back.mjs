// TEST: What is back goes from the list, and nothing else does
// PRD: 1.2
// RED: what is back stays on the list
// REQUIRES: web
// TIMEOUT: 20
const things = `http://127.0.0.1:${process.env.PORT}/things`;
const fail = (what) => {
  console.log(`what is back stays on the list: ${what}`);
  process.exit(1);
};

for (const thing of ['drill', 'ladder', 'tent']) await fetch(things, { method: 'POST', body: JSON.stringify({ thing, to: 'Priya' }) });
const before = await (await fetch(things)).json();
const ladder = before.find(({ thing }) => thing === 'ladder');
if (!ladder) fail('the ladder was never on it');
const { status } = await fetch(`${things}/${ladder.id}`, { method: 'DELETE' });
if (status !== 204) fail(`expected 204, got ${status}`);
const after = (await (await fetch(things)).json()).map(({ thing }) => thing).join(' ');
if (after !== 'tent drill') fail(`expected tent drill, got ${after}`);
const again = await fetch(`${things}/${ladder.id}`, { method: 'DELETE' });
if (again.status !== 404) fail(`expected 404 the second time, got ${again.status}`);
