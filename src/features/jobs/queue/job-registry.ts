import { Injectable, Module } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import { grants, type Scope } from '../../auth/scopes.js';
import { RunsJobs, type JobKind, type JobRunner } from './job-kind.js';

/** Returns the kinds of all runners in these modules. Works before Nest creates the runners. */
export function kindsOf(modules: ModulesContainer): JobKind[] {
  return runnersOf(modules).map(({ kind }) => kind);
}

/** Finds job kinds and their runners. */
@Injectable()
export class JobRegistry {
  private known: Map<string, { kind: JobKind; runner: JobRunner }> | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  get kinds(): JobKind[] {
    return [...this.all.values()].map(({ kind }) => kind);
  }

  /** Returns the kinds whose jobs these scopes may read. */
  kindsVisibleTo(scopes: readonly Scope[]): JobKind[] {
    return this.kinds.filter(({ scope }) => grants(scopes, scope));
  }

  /** Returns `undefined` for a kind that only another release registers. */
  find(name: string): { kind: JobKind; runner: JobRunner } | undefined {
    return this.all.get(name);
  }

  /** Collected on first use, when all modules have their providers. */
  private get all(): Map<string, { kind: JobKind; runner: JobRunner }> {
    this.known ??= new Map(
      runnersOf(this.modules).map(({ kind, instance }) => [
        kind.name,
        { kind, runner: instance as JobRunner },
      ]),
    );
    return this.known;
  }
}

@Module({ providers: [JobRegistry], exports: [JobRegistry] })
export class JobRegistryModule {}

/** Throws if two runners have the same kind. */
function runnersOf(modules: ModulesContainer): { kind: JobKind; instance: unknown }[] {
  const reflector = new Reflector();
  const found = new Map<string, { kind: JobKind; instance: unknown }>();
  for (const { providers } of modules.values()) {
    for (const { metatype, instance } of providers.values()) {
      const kind = metatype && reflector.get(RunsJobs, metatype);
      if (!kind) continue;
      if (found.has(kind.name))
        throw new Error(`Two runners are registered for the job kind ${kind.name}.`);
      found.set(kind.name, { kind, instance });
    }
  }
  return [...found.values()];
}
