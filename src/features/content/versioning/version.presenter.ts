import { presentPerson } from '../../auth/person.js';
import { fieldsWith, fieldsWithout, memberWriter } from './field-map.js';
import type { Version, VersionedResource } from './versioned-resource.js';

/** Presents the versions of one kind of resource as JSON text. */
export class VersionPresenter<Listed extends object, State extends Listed> {
  private readonly copied: (version: object) => string;
  /** Writes the fields that lists omit. */
  private readonly large: (version: object) => string;

  constructor(private readonly resource: VersionedResource) {
    const copied: readonly string[] = fieldsWith(resource.fields, 'versioned', 'copy');
    const versioned = fieldsWithout(resource.fields, 'versioned', false);
    this.copied = memberWriter(resource.fields, copied);
    this.large = memberWriter(
      resource.fields,
      versioned.filter((name) => !copied.includes(name)),
    );
  }

  /** Returns a JSON array of versions without their large fields. */
  list(versions: readonly Version<Listed>[]): string {
    return `[${versions.map((version) => this.item(version)).join(',')}]`;
  }

  whole(version: Version<State>): string {
    return `${this.item(version).slice(0, -1)},${this.large(version)}}`;
  }

  private item(version: Version<Listed>): string {
    const { number, changes, author, origin, createdAt } = version;
    const made = JSON.stringify({ changes, author: author && presentPerson(author), createdAt });
    const madeBy = this.resource.hasOrigin === true ? `,"origin":${origin ?? 'null'}` : '';
    const head = `{"number":${String(number)},${this.copied(version)}`;
    return `${head},${made.slice(1, -1)}${madeBy}}`;
  }
}
