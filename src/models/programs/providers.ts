import { programs, type ProgramName } from '../../engine/ground/model-names.ts';
import type { Model } from '../../engine/ports.ts';
import type { ProgramPort } from '../../engine/ground/programs.ts';
import { createProgramModel } from './program-model.ts';

/**
 * The programs of the person's that can ask models here.
 * @param portOf undefined for a program that is not there. @param toolsUrl where they reach Loop's tools.
 */
export function programProviders(
  portOf: (program: ProgramName) => ProgramPort | undefined,
  toolsUrl: string,
): Partial<Record<ProgramName, Model>> {
  const found = programs.flatMap((program) => {
    const port = portOf(program);
    return port ? [[program, createProgramModel(program, { port, toolsUrl })] as const] : [];
  });
  return Object.fromEntries(found);
}
