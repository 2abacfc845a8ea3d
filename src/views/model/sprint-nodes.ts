/** The Sprint tree: state, human actions, fuel, cost, requirements, services and changes. */
import { requirementWords } from './requirement-words.ts';
import type { ActivityLine, ActivityView } from './activity.ts';
import { headline, isUnfinished } from './headline.ts';
import type { ChangeView, HumanActionView, RequirementView, ServiceView, SprintView, WordView } from './sprint-view.ts';
import { behindWords } from '../../engine/render/explanation.ts';
import { costNodes } from './cost-nodes.ts';
import { clockWords, countWords, hoursWords, usdWords } from './display-text.ts';
import { narrow, node, paragraphs, type TreeNode } from './tree-node.ts';
import { serviceLooks } from './looks.ts';
import { plural, t, translated } from '../words.ts';
import { aboutWords } from './words-in-documents.ts';

/** What only this window knows of the sprint that it runs, or ran. */
export interface Here {
  activity: ActivityView | null;
  /** Why the last run broke off, in words. */
  broke: string | null;
}

/** @param running whether this window or another process runs the sprint now. */
export function sprintNodes(view: SprintView, running: boolean, { activity, broke }: Here = { activity: null, broke: null }): TreeNode[] {
  return [
    ...(broke === null ? [] : [brokeNode(view, broke)]),
    stateNode(view, running),
    ...(isUnfinished(view) ? view.humanActions.map(humanActionNode) : []),
    ...(running || view.current ? [nowNode(view, running, activity)] : []),
    ...(view.words.length > 0 ? [wordsNode(view)] : []),
    fuelNode(view),
    spendNode(view),
    ...(view.requirements.length > 0 ? [requirementsNode(view)] : []),
    ...(view.services.length > 0 ? [servicesNode(view)] : []),
    ...(view.changes.length > 0 ? [changesNode(view)] : []),
  ];
}

/** Above everything else: nothing goes on before the person has read it. */
function brokeNode(view: SprintView, broke: string): TreeNode {
  const again = isUnfinished(view)
    ? t('Everything up to there is kept. "Try Again" goes on from the last step.')
    : t('No new sprint began. "Try Again" asks again what it starts with.');
  return node('broke', broke, {
    icon: { icon: 'error', colour: 'list.errorForeground' },
    tooltip: [broke, again],
    spoken: t('The sprint broke off: {0}', broke),
    context: 'broke',
    opens: { kind: 'retry' },
  });
}

function stateNode(view: SprintView, running: boolean): TreeNode {
  const look = headline(view, running);
  const reasons = view.ending?.reasons ?? [];
  return node(`state${idSuffix(reasons.length > 0)}`, narrow(view.name), {
    description: look.words,
    icon: look,
    tooltip: paragraphs(
      t('Sprint {0}: {1}', view.name, look.words),
      t('Branch {0}', view.branch),
      t('Time: {0} min', Math.floor(view.elapsed / 60_000)),
      t('Process: {0}', view.process.health),
      t('Strategy: {0}', view.process.strategy),
    ),
    spoken: t('Sprint {0}, {1}', view.name, look.words),
    context: 'sprint',
    expanded: true,
    children: reasons.map((reason, index) =>
      node(`reason/${index}`, reason, { icon: { icon: 'dash', colour: null }, tooltip: [reason], spoken: reason }),
    ),
  });
}

/** The editor expands only rows with a new id, so a row that gets its first children needs another id. */
export function idSuffix(hasChildren: boolean): string {
  return hasChildren ? '/open' : '';
}

/** Here and in the rows below, what stands is said first, so that a narrow tree cuts off only words that its tooltip has too. */
function humanActionNode(humanAction: HumanActionView): TreeNode {
  const isAnswered = humanAction.status === 'answered';
  const standing = isAnswered ? answeredWords[humanAction.answer ?? 'done'] : t('Needs you');
  return node(`human-action/${humanAction.id}${idSuffix(humanAction.missing !== '')}`, standing, {
    description: humanAction.action,
    icon: { icon: isAnswered ? 'eye' : 'bell-dot', colour: 'charts.yellow' },
    tooltip: paragraphs(
      humanAction.action,
      humanAction.instructions,
      humanAction.paths.length > 0 && t('Files: {0}', humanAction.paths.join(', ')),
      humanAction.missing && t('Still missing: {0}', humanAction.missing),
    ),
    spoken: `${standing}: ${humanAction.action}${humanAction.missing ? t(', still missing: {0}', humanAction.missing) : ''}`,
    context: isAnswered ? 'human-action-answered' : contextOf[humanAction.kind],
    opens: { kind: 'human-action', id: humanAction.id },
    expanded: true,
    children: humanAction.missing
      ? [
          node(`missing/${humanAction.id}`, t('Still missing: {0}', humanAction.missing), {
            icon: { icon: 'info', colour: null },
            tooltip: [humanAction.missing],
          }),
        ]
      : [],
  });
}

/** By how it is answered. */
const contextOf: Record<HumanActionView['kind'], string> = {
  deed: 'human-action',
  approval: 'human-approval',
  hint: 'human-question',
  advice: 'human-question',
  choice: 'human-question',
};

/** The answer is in the journal, and is carried out before the next decision. */
const answeredWords = { done: t('Looking'), skip: t('Skipped') };

function nowNode(view: SprintView, running: boolean, activity: ActivityView | null): TreeNode {
  const { phase, current } = view;
  const title = titleOfTarget(view);
  const time = activity ? clockWords(activity.elapsed) : '';
  return node('now', `${running || !current ? '' : t('Interrupted: ')}${phase}${current?.target ? ` ${current.target}` : ''}`, {
    description: [time, title].filter((part) => part !== '').join(' · '),
    icon: { icon: running ? 'play-circle' : 'debug-pause', colour: null },
    tooltip: paragraphs(
      phase,
      title,
      current && t('Why: {0}', current.why),
      current && current.behind.length > 0 && t('Due after it: {0}', current.behind.map(behindWords).join(', ')),
    ),
    context: current?.session ? 'session' : '',
    opens: current?.session ? { kind: 'session', step: current.session, title: `${phase} ${current.target}`.trim() } : null,
    spoken: t('Now: {0} {1}. {2}', phase, current?.target ?? '', current?.why ?? ''),
    expanded: true,
    children: [
      ...(activity?.lines ?? []).map(activityNode),
      ...(current ? [node('now/why', current.why, { icon: { icon: 'question', colour: null }, tooltip: [current.why] })] : []),
    ],
  });
}

/** Empty where a task is not what is being done. */
function titleOfTarget({ current, phases }: SprintView): string {
  return phases.flatMap(({ tasks }) => tasks).find(({ id }) => id === current?.target)?.title ?? '';
}

const activityIcons: Record<ActivityLine['kind'], string> = {
  agent: 'comment',
  tool: 'tools',
  verification: 'beaker',
  faults: 'beaker',
  retry: 'debug-disconnect',
};

export function activityNode({ kind, id, words, elapsed }: ActivityLine): TreeNode {
  return node(`now/${kind}/${id}`, words, {
    description: clockWords(elapsed),
    icon: { icon: activityIcons[kind], colour: null },
    tooltip: [words],
    spoken: words,
  });
}

function wordsNode({ words }: SprintView): TreeNode {
  const unread = words.filter(({ isRead }) => !isRead).length;
  const description =
    unread === 0
      ? plural(words.length, '{0} word', '{0} words')
      : t('{0}, {1} not read yet', plural(words.length, '{0} word', '{0} words'), unread);
  return node('words', t('You said'), {
    description,
    icon: { icon: 'comment', colour: null },
    spoken: t('You said {0}', description),
    expanded: true,
    children: words.map(wordNode),
  });
}

function wordNode({ id, words, about: subject, read, isRead }: WordView): TreeNode {
  const about = aboutWords(subject);
  return node(`word/${id}`, isRead ? t('Read') : t('Taken'), {
    description: t('about {0}: {1}', about, words),
    icon: { icon: isRead ? 'check-all' : 'check', colour: null },
    tooltip: paragraphs(words, t('About {0}: {1}.', about, read)),
    spoken: t('You said {0}, about {1}, {2}', words, about, read),
  });
}

function fuelNode({ fuel, decisions }: SprintView): TreeNode {
  return node('fuel', t('Fuel'), {
    description: t('{0} of {1} decisions left', fuel.left, fuel.size),
    icon: { icon: 'dashboard', colour: null },
    tooltip: [
      t('{0} so far. Each burns fuel and nothing refills it, so every sprint ends.', plural(decisions, '{0} decision', '{0} decisions')),
      t('The size is set again when the plan is done, by its number of tasks.'),
    ],
    spoken: t('Fuel: {0} of {1} decisions left', fuel.left, fuel.size),
  });
}

function spendNode({ spend, costs }: SprintView): TreeNode {
  const ofMoney = t('{0} of {1}', usdWords(spend.usd), usdWords(spend.budgetUsd));
  const ofTokens = t('{0} of {1} tokens', countWords(spend.tokens), countWords(spend.budgetTokens));
  const modelCalls = plural(spend.calls, '{0} model call', '{0} model calls');
  return node('spend', t('Cost'), {
    description: isUnpriced(spend)
      ? ofTokens
      : t('{0} of {1}, {2} tokens', usdWords(spend.usd), usdWords(spend.budgetUsd), countWords(spend.tokens)),
    icon: { icon: 'credit-card', colour: null },
    tooltip: [
      t('{0} of {1} tokens, cached ones included.', countWords(spend.tokens), countWords(spend.budgetTokens)),
      isUnpriced(spend)
        ? t('{0}. No price of its model is known.', modelCalls)
        : t('{0}. The money is computed from a price table and is not exact.', modelCalls),
      t('It ran for {0} of {1}; time in which it waited for you is not in it.', hoursWords(spend.hours), hoursWords(spend.maxHours)),
    ],
    spoken: t('Cost: {0}', isUnpriced(spend) ? ofTokens : ofMoney),
    children: costNodes(costs),
  });
}

/** Nobody knows a price of what was asked so far. */
function isUnpriced({ usd, unpriced }: SprintView['spend']): boolean {
  return unpriced > 0 && usd === 0;
}

function requirementsNode({ requirements: all }: SprintView): TreeNode {
  const requirements = all.filter(({ descoped }) => descoped === null);
  const descoped = all.length - requirements.length;
  const proven = requirements.filter((r) => r.provenBy !== null).length;
  const verified = requirements.filter((r) => r.verifiedBy !== null).length;
  const standing =
    proven > 0 ? t('{0} of {1} proven', proven, requirements.length) : t('{0} of {1} verified so far', verified, requirements.length);
  const words = descoped > 0 ? t('{0}, {1} descoped', standing, descoped) : standing;
  return node('requirements', t('Requirements'), {
    description: words,
    icon: { icon: 'checklist', colour: null },
    spoken: t('Requirements: {0}', words),
    children: all.map(requirementNode),
  });
}

function requirementNode(requirement: RequirementView): TreeNode {
  const { id, title, provenBy, verifiedBy, descoped } = requirement;
  const verification = provenBy ?? verifiedBy;
  const words = requirementWords(requirement);
  return node(`requirement/${id}`, narrow(id), {
    description: `${words} · ${title}`,
    icon: requirementIcon(requirement),
    tooltip: paragraphs(
      `${id} ${title}: ${words}`,
      descoped === null
        ? t('Proven once a trusted verification is green in a clean checkout of the final tree.')
        : t('Nothing is built or proven for it in this sprint.'),
    ),
    spoken: t('Requirement {0}, {1}, {2}', id, title, words),
    ...(descoped === null ? { context: 'requirement', about: `requirement ${id}` } : {}),
    opens: verification ? { kind: 'history', verification } : null,
  });
}

function requirementIcon({ provenBy, verifiedBy, descoped }: RequirementView): TreeNode['icon'] {
  if (descoped !== null) return { icon: 'circle-slash', colour: 'testing.iconSkipped' };
  if (provenBy) return { icon: 'pass-filled', colour: 'testing.iconPassed' };
  return { icon: verifiedBy ? 'pass' : 'circle-large-outline', colour: verifiedBy ? 'testing.iconPassed' : 'testing.iconUnset' };
}

function servicesNode({ services }: SprintView): TreeNode {
  const down = services.filter((s) => s.up === false).length;
  const words =
    down > 0 ? t('{0} of {1} down', down, services.length) : t('{0} of {1} up', services.filter((s) => s.up).length, services.length);
  return node(`services${idSuffix(down > 0)}`, t('Services'), {
    description: words,
    icon: { icon: 'server-process', colour: down > 0 ? 'testing.iconFailed' : null },
    spoken: t('Services: {0}', words),
    expanded: down > 0,
    children: services.map(serviceNode),
  });
}

function serviceNode({ name, up, why, start, ready, isExternal, verifications }: ServiceView): TreeNode {
  const look = serviceLooks[up === null ? 'unknown' : up ? 'up' : 'down'];
  const words = up === false ? `${look.words}: ${why}` : look.words;
  return node(`service/${name}`, narrow(name), {
    description: words,
    icon: look,
    tooltip: paragraphs(
      `${name}: ${words}`,
      t('Started by: {0}', start),
      t('Ready when it answers: {0}', ready),
      verifications.length > 0 && t('Required by: {0}', verifications.join(', ')),
      isExternal
        ? t('It runs on your machine, once for all verifications.')
        : t('Each run of a verification that requires it starts its own, from the tree that it judges, and stops it at the end.'),
    ),
    spoken: t('Service {0}, {1}', name, words),
  });
}

function changesNode({ changes }: SprintView): TreeNode {
  const files = new Set(changes.flatMap((change) => change.files.map(({ path }) => path)));
  return node('changes', t('Changes'), {
    description: t('{0} kept, {1}', changes.length, plural(files.size, '{0} file', '{0} files')),
    icon: { icon: 'git-commit', colour: null },
    spoken: t('Changes: {0} kept, {1}', changes.length, plural(files.size, '{0} file', '{0} files')),
    children: changes.map(changeNode),
  });
}

const fileIcons: Record<ChangeView['files'][number]['kind'], { icon: string; colour: string }> = {
  added: { icon: 'diff-added', colour: 'gitDecoration.addedResourceForeground' },
  modified: { icon: 'diff-modified', colour: 'gitDecoration.modifiedResourceForeground' },
  deleted: { icon: 'diff-removed', colour: 'gitDecoration.deletedResourceForeground' },
};

function changeNode({ code, commit, title, patch, files }: ChangeView): TreeNode {
  const opens = { kind: 'patch', ref: patch, title } as const;
  return node(`change/${code}`, title, {
    description: commit.slice(0, 7),
    icon: { icon: 'git-commit', colour: null },
    tooltip: [t('Commit {0}', commit), t('Click to read its diff.')],
    spoken: t('Change by {0}, {1}', title, plural(files.length, '{0} file', '{0} files')),
    opens,
    children: files.map(({ path, kind }) =>
      node(`change/${code}/${path}`, path, {
        description: translated(kind),
        icon: fileIcons[kind],
        tooltip: [path],
        spoken: `${path}, ${translated(kind)}`,
        opens,
      }),
    ),
  });
}
