/** What `loop help` prints. */
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

Options of run:
  --model anthropic|recorded:FILE|strict:FILE
                                      Claude (ANTHROPIC_API_KEY), or turns played from a file; strict
                                      says where it is asked something else than when it was recorded
  --models NAME                       the model for all work; or for a kind of it: reasoning=NAME,
                                      execution=NAME, triage=NAME; more than once. claude-code:opus and
                                      codex:gpt-5 are asked by these programs, with your login of theirs
                                      (claude-code:default: the model that they take). On a resume,
                                      others take over where a session begins
  --budget-usd N, --budget-tokens N   what it may spend at most; resuming with more raises it
  --max-hours N                       hours that it may run (24), without those in which it waits for you;
                                      resuming with more raises it
  --max-iterations N                  decisions at most; of a pipeline, iterations
  --network none|registries|installs|all
                                      what its commands may reach; by default your package registries
  --allow-host HOST[:PORT]            a host that they reach besides; more than once
  --env NAME                          a variable of yours that its commands get; more than once
  --evidence any|fair|strong          how much a proof must see before its requirement counts (fair)
  --qualify none|lean|standard|thorough
                                      how much Vision and PRD are looked at before anything is planned (lean)
  --approve-plan                      stop after the plan and its review, until you approve it
  --docker                            it may start services of your compose file, with --network all
  --record FILE                       write down the model's turns, to play them again, and what it was asked
  --keep-awake                        keep this machine from going to sleep by itself meanwhile
  --non-interactive                   never ask; stop where a person must act
  --json                              the journal's lines on standard output, nothing else

Options of pipeline (also --model, --models, the budgets, --max-hours, --max-iterations, --network, --allow-host, --env, --record, --keep-awake, --json as above):
  --session NAME                      name of the run; by default the pipeline's
  --input PATH                        a file, folder or glob that it may read besides; more than once
  --mock DIR                          ask no model: outputs and decisions from fixtures in DIR
  --in DIR                            folder in the repository; by default the current one
  --pipelines NAME                    the repository's folder with your stages and pipelines, if not pipelines

Options of verify:
  --only ID                           this one; may be given more than once
  --failed                            those that have not passed on the code as it is
  --json                              the results as JSON

Options of lint (also --pipelines NAME as above, of a folder with that name):
  --fix                               write anew what needs no thought in stages and pipelines, such as older forms
  --strict                            a warning counts as an error, too
  --json                              what was found as JSON

Options of adopt (without an ID: which edits wait for your word):
  --text HASH                         you saw the text with this hash: adopt it, do not ask
  --discard                           leave the verification as it was; your text stays kept

Options of tell:
  --about ID                          a task, a requirement or a verification; by default the whole sprint

Options of answer:
  --about ID                          what is asked, such as H1; needed where more than one thing is

Options of change:
  --title, --description, --value, --acceptance "<words>"
                                      the new text
  --before ID                         build it before that task; "end": last

Options of finish:
  --yes                               do not ask before dropping a branch
  --pull-request                      with keep: push the branch to origin, and open a pull request by gh or glab

Exit codes: 0 delivered, or complete · 1 nothing proven or API unreachable · 2 stopped with something proven,
or a pipeline at a limit · 3 a person must act · 4 input, configuration or key · 5 budget or hours · 130 cancelled
`;
