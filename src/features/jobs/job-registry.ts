import { Injectable, Module } from '@nestjs/common';
import { ModulesContainer, Reflector } from '@nestjs/core';
import { grants, type Scope } from '../access/auth/scopes.js';
import { RunsJobs, type JobKind, type JobRunner } from './job-kind.js';

/** Every kind that a runner of these modules is marked with, also before the runners are made. */
export function kindsOf(modules: ModulesContainer): JobKind[] {
  return runnersOf(modules).map(({ kind }) => kind);
}

/** Which kinds of jobs there are, and who does them. */
@Injectable()
export class JobRegistry {
  private known: Map<string, { kind: JobKind; runner: JobRunner }> | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  get kinds(): JobKind[] {
    return [...this.all.values()].map(({ kind }) => kind);
  }

  /** The names of the kinds whose jobs a key with these scopes may see. */
  namesVisibleTo(scopes: readonly Scope[]): string[] {
    return this.kinds.filter(({ scope }) => grants(scopes, scope)).map(({ name }) => name);
  }

  /** The kind and its runner; `undefined` for one that was registered by another release only. */
  find(name: string): { kind: JobKind; runner: JobRunner } | undefined {
    return this.all.get(name);
  }

  /** Looked for when it is first needed: by then all modules have their providers. */
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

/** Throws when two runners do the same kind. */
function runnersOf(modules: ModulesContainer): { kind: JobKind; instance: unknown }[] {
  const reflector = new Reflector();
  const found = new Map<string, { kind: JobKind; instance: unknown }>();
  for (const { providers } of modules.values()) {
    for (const { metatype, instance } of providers.values()) {
      const kind = metatype && reflector.get(RunsJobs, metatype);
      if (!kind) continue;
      if (found.has(kind.name)) throw new Error(`Two runners do jobs of the kind ${kind.name}.`);
      found.set(kind.name, { kind, instance });
    }
  }
  return [...found.values()];
}
