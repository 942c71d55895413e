import { presentPerson } from '../auth/person.js';
import { fieldsWith, fieldsWithout, shownMembers } from './field-map.js';
import type { Version, VersionedResource } from './versioned-resource.js';

/** Presents versions of a kind of resource, as JSON text. */
export class VersionPresenter<Listed extends object, State extends Listed> {
  private readonly copied: readonly string[];
  /** What only whole versions show. */
  private readonly large: readonly string[];

  constructor(private readonly resource: VersionedResource) {
    this.copied = fieldsWith(resource.fields, 'versioned', 'copy');
    const versioned = fieldsWithout(resource.fields, 'versioned', false);
    this.large = versioned.filter((name) => !this.copied.includes(name));
  }

  /** Versions as lists show them, as a JSON array. */
  list(versions: readonly Version<Listed>[]): string {
    return `[${versions.map((version) => this.item(version)).join(',')}]`;
  }

  whole(version: Version<State>): string {
    return `${this.item(version).slice(0, -1)},${this.members(this.large, version)}}`;
  }

  private item(version: Version<Listed>): string {
    const { number, changes, author, origin, createdAt } = version;
    const made = JSON.stringify({ changes, author: author && presentPerson(author), createdAt });
    const madeBy = this.resource.hasOrigin === true ? `,"origin":${origin ?? 'null'}` : '';
    const head = `{"number":${String(number)},${this.members(this.copied, version)}`;
    return `${head},${made.slice(1, -1)}${madeBy}}`;
  }

  private members(names: readonly string[], version: object): string {
    return shownMembers(this.resource.fields, names, version as Record<string, unknown>);
  }
}
