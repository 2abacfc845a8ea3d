/** What `loop help` prints. */
import { optionsHelp } from './options.ts';

export const usage = `Usage:
  loop new <sprintDir> ["<words>"]     write its Vision and PRD: a template, or from a sentence or an issue's text;
                                      --from PATH: from a PRD, or the folder of a specification (spec-kit, Kiro)
  loop run <sprintDir> [options]      start a sprint, or go on with it
  loop run <dir> <dir> … [options]    several, one after the other, unattended; one that waits for you is
                                      left waiting, and the next begins
  loop status <sprintDir> [--json]    where it stands
  loop verify <sprintDir> [options]   run its verifications, without a model
  loop adopt <sprintDir> [ID]         take your edit of a verification as the verification
  loop lint <sprintDir> [--json]      what is wrong in its documents, without a model
  loop lint pipelines [--fix]         what is wrong in your stages and pipelines; --fix mends what needs no thought
  loop lsp                            the language server, on standard input and output
  loop mcp [folder]                   what sprints below a folder say, for agents: a server of the Model Context
                                      Protocol on standard input and output, which changes nothing
  loop tell <sprintDir> "<words>"     tell the agents something, also while the sprint does not run
  loop pause <sprintDir>              let the running step end, then stop; run goes on from there
  loop skip <sprintDir> <task>        give a task up; what it serves stays unproven
  loop retry <sprintDir> <task>       try a task again, with --hint "<words>" for its builder
  loop answer <sprintDir> <answer>    answer what it asks: done, skip, "<words>"; for points P1=2 P2="<words>", or recommended
  loop approve <sprintDir>            approve the plan, where the sprint waits for that
  loop change <sprintDir> <task>      change a task of such a plan, or move it
  loop amend <sprintDir> [word]       what you changed in Vision and PRD since; take | keep | stop: what becomes of it
  loop amend <sprintDir> accept [P1]  write the wording that the review proposes into them, and take them over
  loop finish <sprintDir> <how>       merge | squash | keep | drop the sprint's branch
  loop guard <sprintDir> [on|off]     before each git push run what a merged sprint proved; a push is refused
                                      where it does not hold any more
  loop list [folder] [--json]         the sprints of a repository, past ones too, with outcome and cost
  loop clean [folder]                 what Loop left on the disk, with sizes; --remove ID | all removes it
  loop pipeline run <name> [options]  run a pipeline, or go on with it; dry-run <name>: only show it
  loop pipeline resume <session>      go on with a session; status [session]: where it stands
  loop pipeline list                  the pipelines that there are
  loop version                        the version of Loop

${optionsHelp()}

Exit codes: 0 delivered, or complete · 1 no trusted verification green, or API unreachable
2 stopped with one green, or a pipeline at a limit · 3 a person must act · 4 input, configuration or key
5 budget or hours · 130 cancelled
`;
