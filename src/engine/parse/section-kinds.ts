/** What the words of a heading or a sentence tell: whether it demands something, limits how it is built, or only explains. */

/**
 * `stack` holds constraints where it limits, and is background otherwise. `subject` may be what the product is about (users, files)
 * or what surrounds it: numbers and demands count there, and other lists do not.
 */
export type Kind = 'requirement' | 'constraint' | 'background' | 'stack' | 'subject';

/** The word that a person puts at the end of a heading or of an item, and what is left without it. */
export function markedKind(words: string): { kind: Kind | undefined; words: string } {
  const [, rest = '', word = ''] = /^(.*?)\s*\((requirement|constraint|background)s?\)[\s.:*_]*$/i.exec(words) ?? [];
  return rest === '' ? { kind: undefined, words } : { kind: word.toLowerCase() as Kind, words: rest };
}

/** By the whole heading: `Files` explains, `Files are listed by name` does not. */
export function kindOfHeading(title: string): Kind | undefined {
  if (title.startsWith('Feature:')) return 'requirement';
  const words = bareTitle(title);
  const first = words.split(joint)[0] ?? '';
  const told = known.get(words) ?? known.get(words.replace(ofThis, '')) ?? known.get(first);
  if (told) return told;
  if (isLeftOut(words) || isLeftOut(first)) return 'background';
  return endsInRequirements.test(words) ? 'requirement' : undefined;
}

/** Says what the work is for. Below it may stand numbers that are requirements; it is none itself. */
export function namesGoals(title: string): boolean {
  return ['goals', 'objectives', 'goals and objectives', 'goals & objectives', 'ziele', '目標', 'ゴール'].includes(bareTitle(title));
}

/** Without emphasis, what stands in brackets, and the emoji and signs around it. */
function bareTitle(title: string): string {
  return title
    .replaceAll(/[*_`]|\(.*?\)|（.*?）/g, '')
    .replaceAll(keycap, ' ')
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/^\d+[.)]\s+/, '')
    .toLowerCase();
}

/** A number as an emoji: `1️⃣`. */
const keycap = /\d\uFE0F?\u20E3/g;

/** `Out of scope for v1`, `Future enhancements`; not `Out of scope tokens are refused`. */
function isLeftOut(words: string): boolean {
  if (leftOutInJapanese.test(words)) return true;
  const said = words.replace(/^explicitly /, '');
  const phrase = leftOut.find((one) => said === one || said.startsWith(`${one} `) || said.startsWith(`${one}:`));
  const [next = ''] = said.slice(phrase?.length).trim().split(' ');
  if (phrase !== undefined && (next === '' || next.startsWith(':') || narrowing.has(next))) return true;
  const [how = '', ...what] = said.replace(/^(?:out of|not in) scope /, 'out-of-scope ').split(' ');
  return leaving.has(how) && leavable.has(what.at(-1) ?? '') && what.slice(0, -1).every((word) => between.has(word));
}

const leftOut = `
    out of scope; out-of-scope; not in scope; non-goals; non goals; nongoals; not goals; exclusions; excluded; won't have; won’t have;
    wont have; future work; success metrics; nicht im umfang; nicht enthalten; nicht-ziele; nichtziele; nicht ziele; außerhalb des umfangs`
  .split(';')
  .map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '));
const leftOutInJapanese = /^(?:対象外|スコープ外|範囲外|対象範囲外|将来|今後)の(?:要件|機能|項目|範囲|拡張|課題|予定|改善)$/;
const narrowing = new Set('for in of from at until this here today now yet currently für von im bei aus'.split(' '));
const leaving = wordsOf(`
  future deferred excluded postponed rejected dropped out-of-scope non zukünftige künftige spätere ausgeschlossene zurückgestellte`);
const between = wordsOf('functional non-functional technical product feature planned possible potential funktionale nichtfunktionale');
const leavable = wordsOf(`
  requirements features enhancements improvements work ideas plans considerations items extensions scope development developments
  directions possibilities goals iterations phases anforderungen funktionen erweiterungen verbesserungen ideen pläne`);

function wordsOf(text: string): Set<string> {
  return new Set(text.trim().split(/\s+/));
}

const ofThis =
  /^(?:the|our|der|die|das) | (?:of|for) (?:this|the) (?:document|project|product|system|sprint|feature|tool|app|application)$/g;
const joint = / (?:&|and|und|\/|\+|or|oder) |, | [-–—] |・/;
const endsInRequirements = /^(?:[\w-]+ ){0,2}(?:requirements|anforderungen)$|(?:要件|要求事項)$/;

const vocabulary: Readonly<Record<Kind, string>> = {
  requirement: `
    requirements; features; key features; core features; main features; functionality; functional specification; capabilities; behaviour;
    behavior; acceptance criteria; success criteria; acceptance; user stories; stories; use cases; scenarios; must have; must haves;
    must-have; must-haves; should have; should haves; should-have; should-haves; must; should; in scope; rules; business rules;
    definition of done; done when; expected behavior; expected behaviour; expected result; expected results; expected outcome;
    what did you expect; what did you expect to happen; what should happen; erwartetes verhalten; erwartetes ergebnis; anforderungen;
    funktionen; funktionsumfang; leistungsmerkmale; verhalten; akzeptanzkriterien; abnahmekriterien; erfolgskriterien; nutzergeschichten;
    anwendungsfälle; muss-kriterien; musskriterien; soll-kriterien; sollkriterien; regeln; geschäftsregeln;
    要件; 要求; 要求事項; 機能; 機能一覧; 主な機能; 受け入れ基準; 受け入れ条件; 受入基準; 受入条件; 完了条件; 完了の定義; 成功基準;
    ユーザーストーリー; ユースケース; シナリオ; 期待される動作; 期待する動作; 期待される結果; 必須; ルール; 業務ルール`,
  constraint: `
    constraints; technical constraints; design constraints; implementation constraints; architectural constraints; architecture constraints;
    project constraints; technical restrictions; guardrails; boundary conditions; randbedingungen; rahmenbedingungen; einschränkungen;
    technische einschränkungen; technische rahmenbedingungen; technische randbedingungen; vorgaben; technische vorgaben;
    制約; 制約条件; 制約事項; 技術的制約; 技術的な制約`,
  stack: `
    tech stack; technology stack; technical stack; stack; technology; technologies; technical approach; implementation notes; technik;
    technologie; technologien; technologie-stack; 技術スタック; 使用技術`,
  background: `
    overview; system overview; product overview; project overview; introduction; intro; summary; executive summary; about; background;
    context; motivation; rationale; why; problem; problem statement; the problem; purpose; vision; product vision; mission; what this is;
    what it is; scope of this document; audience; target audience; target users; user personas; personas; stakeholders; who it is for;
    metadata; glossary; terminology; definitions; abbreviations; acronyms; related work; see also; further reading; appendix;
    change history; change log; changelog; revision history; version history; document history; open questions; risks;
    risks and mitigations; assumptions; key success metrics; success metrics and kpis; kpis; non-requirements; non requirements;
    describe the bug; bug description; to reproduce; steps to reproduce; how to reproduce; reproduction; reproduction steps;
    actual behavior; actual behaviour; actual result; actual results; current behavior; current behaviour; observed behavior;
    observed behaviour; what happened; additional context; schritte zum reproduzieren; tatsächliches verhalten; aktuelles verhalten;
    tatsächliches ergebnis; milestones; timeline; roadmap; next steps; prior art; what it is not; could have; could haves; could-have;
    nice to have; nice-to-have; nice to haves; for later; epics for later; ideas for later; future ideas; stretch goals;
    known limitations; key entities; file list; list of files; file structure; project structure; directory structure; folder structure;
    directory layout; repository layout; project layout; repository structure; alternatives considered; einleitung; einführung; überblick;
    übersicht; zusammenfassung; hintergrund; kontext; ausgangslage; ausgangssituation; problemstellung; zweck; zielgruppe; zielgruppen;
    glossar; definitionen; abkürzungen; anhang; änderungshistorie; offene fragen; offene punkte; risiken; annahmen; meilensteine;
    zeitplan; ausblick; abgrenzung; abgrenzungskriterien; kann-kriterien; kannkriterien; erfolgskennzahlen; erfolgsmetriken;
    dateistruktur; projektstruktur; verzeichnisstruktur; contents; table of contents; inhalt; inhaltsverzeichnis;
    目次; 概要; はじめに; 背景; 目的; 要約; 動機; 課題; 問題; ビジョン; 対象ユーザー; 想定ユーザー; ペルソナ; 用語; 用語集; 定義; 付録;
    参考; 参考資料; 関連資料; 変更履歴; 改訂履歴; 未決事項; 検討事項; リスク; 前提; 前提条件; マイルストーン; スケジュール; ロードマップ;
    対象外; スコープ外; 範囲外; 対象範囲外; 非目標; やらないこと; 再現手順; 実際の動作; 現在の動作; 成功指標; ファイル構成;
    ディレクトリ構成`,
  subject: `
    users; roles; team; status; files; history; budget; ideas; terms; schedule; links; questions; decisions; deliverables; entities; backlog;
    references; alternatives; competitors; market; scope; later; future; limits; restrictions; environment; platform; platforms; tools;
    tooling; dependencies; architecture; implementation; benutzer; nutzer; beteiligte; begriffe; dateien; änderungen; versionen; quellen;
    termine; werkzeuge; abhängigkeiten; plattform; architektur; umsetzung`,
};
const known = new Map<string, Kind>(
  Object.entries(vocabulary).flatMap(([kind, words]) =>
    words.split(';').map((word) => [word.trim().replaceAll(/\s+/g, ' '), kind as Kind] as const),
  ),
);

/** Says that something must, shall or should be (RFC 2119, EARS, and how German and Japanese say it). */
export function demands(words: string): boolean {
  return /\b(?:must|shall|should|has to|have to|is required to|are required to)\b|\b(?:muss|müssen|soll|sollen|darf|dürfen)(?!\p{L})|なければ(?:ならない|なりません)|必要があ[るり]|ものとする|すること[。.]?$/iu.test(
    proseOf(words),
  );
}

/** Leaves it to who builds it. */
export function isOptional(words: string): boolean {
  return /\b(?:MAY|OPTIONAL|COULD|KANN)\b/.test(proseOf(words)) && !demands(words);
}

/** Says what the work may not be made of, or has to be. */
export function limits(words: string): boolean {
  const prose = proseOf(words);
  return (
    demands(prose) ||
    /\b(?:only|no|not|never|without|nothing|at most|at least|required|mandatory|nur|ohne)\b|\b(?:kein|nicht|höchstens|mindestens)/iu.test(
      prose,
    )
  );
}

/** Asks that something stays as it was before the work: nothing can be seen to fail for it. */
export function staysAsItIs(text: string): boolean {
  return unchanged.test(text.replaceAll(/[*_`]/g, '').replaceAll(/\s+/g, ' '));
}

const unchanged = new RegExp(
  [
    String.raw`\b(?:works?|working|behaves?|looks?|stays?|remains?|is|are|be) (?:just |exactly )?(?:as before|as (?:now|today)|as (?:it|they) (?:is|are|was|were|does|do|did)(?: now| today| before)?)\W*$`,
    String.raw`\bnothing else (?:changes|is changed)\b`,
    String.raw`^\W*what (?:exists|is there|works)(?: already| now| today)? (?:stays|remains|keeps working)\b`,
    String.raw`^\W*(?:(?:all|every|any|the) )?(?:other|existing)\b.*\b(?:unchanged|still (?:pass|passes|work|works)|keeps? (?:working|passing)|(?:not|never) (?:change[ds]?|be changed))\W*$`,
  ].join('|'),
  'i',
);

/** Without code, and without sentences that only tell what MUST and SHOULD mean. */
function proseOf(words: string): string {
  const sentences = words.replaceAll(/`[^`]*`/g, '').split(/(?<=[.!?])\s+/);
  return sentences.filter((sentence) => !explainsKeyWords(sentence)).join(' ');
}

function explainsKeyWords(sentence: string): boolean {
  const namesStandard = /\b(?:RFC ?(?:2119|8174)|BCP ?14)\b/i.test(sentence);
  const says = /\bkey ?words\b|\bSchlüssel-?wörter\b/i.test(sentence) && (namesStandard || /\b(?:MUST|SHALL|SHOULD)\b/.test(sentence));
  return (says && /\binterpreted as\b|\bzu (?:verstehen|interpretieren)\b/i.test(sentence)) || (namesStandard && meaning.test(sentence));
}

const meaning = /\b(?:key ?words|words|terms|meaning|interpreted|defined|described|specified|as in|as per|sense)\b/i;
