/** The Sprint tree: state, human actions, fuel, cost, requirements, services and changes. */
import { requirementWords } from './requirement-words.ts';
import type { ActivityLine, ActivityView } from './activity.ts';
import { headline, isUnfinished } from './headline.ts';
import type { ChangeView, HumanActionView, RequirementView, ServiceView, SprintView, WordView } from './sprint-view.ts';
import { behindWords } from '../../engine/render/explanation.ts';
import { counted } from '../../engine/ground/text.ts';
import { clockWords, countWords, usdWords } from './display-text.ts';
import { node, paragraphs, type TreeNode } from './tree-node.ts';
import { serviceLooks } from './looks.ts';

/** What only this window knows of the sprint that it runs, or ran. */
export interface Here {
  activity: ActivityView | null;
  /** Why the last run broke off, in words. */
  broke: string | null;
}

/** @param running whether this window or another process runs the sprint now. */
export function sprintNodes(view: SprintView, running: boolean, { activity, broke }: Here = { activity: null, broke: null }): TreeNode[] {
  return [
    ...(broke === null ? [] : [brokeNode(broke)]),
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
function brokeNode(broke: string): TreeNode {
  return node('broke', broke, {
    icon: { icon: 'error', colour: 'list.errorForeground' },
    tooltip: [broke, 'Everything up to there is kept. "Try Again" goes on from the last step.'],
    spoken: `The sprint broke off: ${broke}`,
    context: 'broke',
    opens: { kind: 'retry' },
  });
}

function stateNode(view: SprintView, running: boolean): TreeNode {
  const look = headline(view, running);
  const reasons = view.ending?.reasons ?? [];
  return node(`state${idSuffix(reasons.length > 0)}`, view.name, {
    description: look.words,
    icon: look,
    tooltip: paragraphs(
      `Sprint ${view.name}: ${look.words}`,
      `Branch ${view.branch}`,
      `Time: ${Math.floor(view.elapsed / 60_000)} min`,
      `Process: ${view.process.health}`,
      `Strategy: ${view.process.strategy}`,
    ),
    spoken: `Sprint ${view.name}, ${look.words}`,
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

function humanActionNode(humanAction: HumanActionView): TreeNode {
  const isAnswered = humanAction.status === 'answered';
  return node(`human-action/${humanAction.id}${idSuffix(humanAction.missing !== '')}`, humanAction.action, {
    description: isAnswered ? answeredWords[humanAction.answer ?? 'done'] : 'needs you',
    icon: { icon: isAnswered ? 'eye' : 'bell-dot', colour: 'charts.yellow' },
    tooltip: paragraphs(
      humanAction.action,
      humanAction.instructions,
      humanAction.paths.length > 0 && `Files: ${humanAction.paths.join(', ')}`,
      humanAction.missing && `Still missing: ${humanAction.missing}`,
    ),
    spoken: `Human action, ${humanAction.action}${humanAction.missing ? `, still missing: ${humanAction.missing}` : ''}`,
    context: isAnswered ? 'human-action-answered' : contextOf[humanAction.kind],
    opens: { kind: 'human-action', id: humanAction.id },
    expanded: true,
    children: humanAction.missing
      ? [
          node(`missing/${humanAction.id}`, `Still missing: ${humanAction.missing}`, {
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
const answeredWords = { done: 'Loop checks whether it is done', skip: 'skipped' };

function nowNode(view: SprintView, running: boolean, activity: ActivityView | null): TreeNode {
  const { phase, current } = view;
  const title = titleOfTarget(view);
  const time = activity ? clockWords(activity.elapsed) : '';
  return node('now', `${running || !current ? '' : 'Interrupted: '}${phase}${current?.target ? ` ${current.target}` : ''}`, {
    description: [time, title].filter((part) => part !== '').join(' · '),
    icon: { icon: running ? 'play-circle' : 'debug-pause', colour: null },
    tooltip: paragraphs(
      phase,
      title,
      current && `Why: ${current.why}`,
      current && current.behind.length > 0 && `Due after it: ${current.behind.map(behindWords).join(', ')}`,
    ),
    context: current?.session ? 'session' : '',
    opens: current?.session ? { kind: 'session', step: current.session, title: `${phase} ${current.target}`.trim() } : null,
    spoken: `Now: ${phase} ${current?.target ?? ''}. ${current?.why ?? ''}`,
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
  const description = unread === 0 ? counted(words.length, 'word') : `${counted(words.length, 'word')}, ${unread} not read yet`;
  return node('words', 'You said', {
    description,
    icon: { icon: 'comment', colour: null },
    spoken: `You said ${description}`,
    expanded: true,
    children: words.map(wordNode),
  });
}

function wordNode({ id, words, about, read, isRead }: WordView): TreeNode {
  return node(`word/${id}`, words, {
    description: `${isRead ? 'read' : 'taken'}, about ${about}`,
    icon: { icon: isRead ? 'check-all' : 'check', colour: null },
    tooltip: paragraphs(words, `About ${about}: ${read}.`),
    spoken: `You said ${words}, about ${about}, ${read}`,
  });
}

function fuelNode({ fuel, decisions }: SprintView): TreeNode {
  return node('fuel', 'Fuel', {
    description: `${fuel.left} of ${fuel.size} decisions left`,
    icon: { icon: 'dashboard', colour: null },
    tooltip: [
      `${counted(decisions, 'decision')} so far. Each burns fuel and nothing refills it, so every sprint ends.`,
      'The size is set again when the plan is done, by its number of tasks.',
    ],
    spoken: `Fuel: ${fuel.left} of ${fuel.size} decisions left`,
  });
}

function spendNode({ spend }: SprintView): TreeNode {
  return node('spend', 'Cost', {
    description: `${usdWords(spend.usd)} of ${usdWords(spend.budgetUsd)}, ${countWords(spend.tokens)} tokens`,
    icon: { icon: 'credit-card', colour: null },
    tooltip: [
      `${countWords(spend.tokens)} of ${countWords(spend.budgetTokens)} tokens, cached ones included.`,
      `${counted(spend.calls, 'model call')}. The money is computed from a price table and is not exact.`,
    ],
    spoken: `Cost: ${usdWords(spend.usd)} of ${usdWords(spend.budgetUsd)}`,
  });
}

function requirementsNode({ requirements: all }: SprintView): TreeNode {
  const requirements = all.filter(({ descoped }) => descoped === null);
  const descoped = all.length - requirements.length;
  const proven = requirements.filter((r) => r.provenBy !== null).length;
  const verified = requirements.filter((r) => r.verifiedBy !== null).length;
  const standing = proven > 0 ? `${proven} of ${requirements.length} proven` : `${verified} of ${requirements.length} verified so far`;
  const words = descoped > 0 ? `${standing}, ${descoped} descoped` : standing;
  return node('requirements', 'Requirements', {
    description: words,
    icon: { icon: 'checklist', colour: null },
    spoken: `Requirements: ${words}`,
    children: all.map(requirementNode),
  });
}

function requirementNode(requirement: RequirementView): TreeNode {
  const { id, title, provenBy, verifiedBy, descoped } = requirement;
  const verification = provenBy ?? verifiedBy;
  const words = requirementWords(requirement);
  return node(`requirement/${id}`, `${id} ${title}`, {
    description: words,
    icon: requirementIcon(requirement),
    tooltip: paragraphs(
      title,
      descoped === null
        ? 'Proven once a trusted verification is green in a clean checkout of the final tree.'
        : 'Nothing is built or proven for it in this sprint.',
    ),
    spoken: `Requirement ${id}, ${title}, ${words}`,
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
  const words = down > 0 ? `${down} of ${services.length} down` : `${services.filter((s) => s.up).length} of ${services.length} up`;
  return node(`services${idSuffix(down > 0)}`, 'Services', {
    description: words,
    icon: { icon: 'server-process', colour: down > 0 ? 'testing.iconFailed' : null },
    spoken: `Services: ${words}`,
    expanded: down > 0,
    children: services.map(serviceNode),
  });
}

function serviceNode({ name, up, why, start, ready, isExternal, verifications }: ServiceView): TreeNode {
  const look = serviceLooks[up === null ? 'unknown' : up ? 'up' : 'down'];
  const words = up === false ? `${look.words}: ${why}` : look.words;
  return node(`service/${name}`, name, {
    description: words,
    icon: look,
    tooltip: paragraphs(
      `${name}: ${words}`,
      `Started by: ${start}`,
      `Ready when it answers: ${ready}`,
      verifications.length > 0 && `Required by: ${verifications.join(', ')}`,
      isExternal
        ? 'It runs on your machine, once for all verifications.'
        : 'Each run of a verification that requires it starts its own, from the tree that it judges, and stops it at the end.',
    ),
    spoken: `Service ${name}, ${words}`,
  });
}

function changesNode({ changes }: SprintView): TreeNode {
  const files = new Set(changes.flatMap((change) => change.files.map(({ path }) => path)));
  return node('changes', 'Changes', {
    description: `${changes.length} kept, ${counted(files.size, 'file')}`,
    icon: { icon: 'git-commit', colour: null },
    spoken: `Changes: ${changes.length} kept, ${counted(files.size, 'file')}`,
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
    tooltip: [`Commit ${commit}`, 'Click to read its diff.'],
    spoken: `Change by ${title}, ${counted(files.length, 'file')}`,
    opens,
    children: files.map(({ path, kind }) =>
      node(`change/${code}/${path}`, path, {
        description: kind,
        icon: fileIcons[kind],
        tooltip: [path],
        spoken: `${path}, ${kind}`,
        opens,
      }),
    ),
  });
}
