/** Tests before a start that every model can be asked: those of the kinds of work, and those that stages name, told with their place. */
import { InputError, TerminalModelError } from '../engine/ground/errors.ts';
import { modelWords, providerOf, type NamedModel } from '../engine/ground/model-names.ts';
import { requireProviders, waysTo, type Providers } from './by-provider.ts';

/** What can be asked here. */
export interface Reach {
  providers: Providers;
  /** Asks the API whether it knows these models of Claude. */
  test: (claude: string[]) => Promise<void>;
  /** Whether the editor offers a model of its own. Left out: nobody knows before it is asked. */
  isOffered?: (name: string) => boolean;
}

/** @param named models that files name. @throws InputError, TerminalModelError, and what `test` throws */
export async function requireModels(reach: Reach, models: readonly string[], named: readonly NamedModel[]): Promise<void> {
  const { providers, test } = reach;
  requireProviders(providers, models);
  for (const one of named) requireNamed(reach, one);
  await test(models.filter(isOfClaude));
  for (const one of named.filter(({ model }) => isOfClaude(model) && !models.includes(model)))
    await test([one.model]).catch((error: unknown) => {
      throw toldOf(one, error);
    });
}

/** The same error, with who names the model; as it is where it tells nothing of that model. */
export function toldOf({ model, by, mend }: NamedModel, error: unknown): unknown {
  const words = `${by} names the model ${modelWords(model)}`;
  if (error instanceof InputError) return new InputError(`${words}: ${error.message}`, `${error.next} Or: ${mend}`);
  if (!(error instanceof TerminalModelError) || error.kind !== 'request') return error;
  return new TerminalModelError(`${words}: ${error.message}`, error.kind, mend, { cause: error });
}

function requireNamed({ providers, isOffered }: Reach, { model, by, mend }: NamedModel): void {
  const words = `${by} names the model ${modelWords(model)}, which`;
  if (!providers[providerOf(model)]) throw new InputError(`${words} cannot be asked here.`, `${waysTo[providerOf(model)]} Or: ${mend}`);
  if (providerOf(model) === 'editor' && isOffered?.(model) === false) throw new InputError(`${words} the editor does not offer.`, mend);
}

function isOfClaude(name: string): boolean {
  return providerOf(name) === 'anthropic';
}
