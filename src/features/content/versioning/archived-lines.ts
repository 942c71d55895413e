import { isPerson, presentPerson, readPerson } from '../../access/auth/person.js';
import {
  isId,
  isOneOf,
  isSomeOf,
  isWholeNumber,
  orNull,
  RecordFields,
  sourceMembers,
} from '../../../platform/http/envelope/record-fields.js';
import { decodeId, encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { fieldIn, fieldsWithout, isJson, shownValue, type FieldMap } from './field-map.js';
import type { SupersededVersion } from './version.repository.js';
import type { VersionedResource, VersionedState, VersionHistory } from './versioned-resource.js';

const MAX_VERSION = 2_147_483_647;

/** A kind of resource in archives. Each resource has a line, followed by lines of its older versions, newest first. */
interface ArchivedKind<State extends object> {
  resource: VersionedResource;
  /** Record names of resource lines and version lines. */
  records: readonly [resource: string, version: string];
  /** Member of a version line that refers to the resource. */
  owner: string;
  /** Field names that `changes` may contain. */
  changeable: readonly string[];
  /** True if a version may have no author because it was created with the account. */
  mayLackAuthor: boolean;
  /** Validates the resource or version as a whole, after its fields. */
  require?: (line: RecordFields, state: State) => void;
}

/** Additional members of a resource line. */
interface ExtraMembers<Archived, More> {
  take: (line: RecordFields) => More;
  require: (line: RecordFields, archived: Archived & More) => void;
}

/** Writes and reads archive lines of one kind of resource. Each line is one JSON object without line breaks. */
export class ArchivedLines<
  State extends VersionedState,
  Archived extends State & VersionHistory & { id: string; createdAt: Date; updatedAt: Date },
> {
  private readonly versioned: readonly string[];
  /** Archived fields that are not part of versions. */
  private readonly constant: readonly string[];

  constructor(private readonly kind: ArchivedKind<State>) {
    const { fields } = kind.resource;
    this.versioned = fieldsWithout(fields, 'versioned', false);
    this.constant = fieldsWithout(fields, 'archived', false).filter(
      (name) => !this.versioned.includes(name),
    );
  }

  /** Returns the line of a resource. `more` are additional JSON members. */
  line(archived: Archived, more: readonly string[] = []): string {
    const parts = [
      `"record":"${this.kind.records[0]}"`,
      this.members(this.constant, archived),
      ...more,
      this.stateMembers(archived),
    ];
    return `{${parts.join(',')}}`;
  }

  versionLine(version: SupersededVersion<State>): string {
    const head = JSON.stringify({
      record: this.kind.records[1],
      [this.kind.owner]: encodeId(this.kind.resource.kind, version.ownerId),
      number: version.number,
      createdAt: version.createdAt,
    });
    return `${head.slice(0, -1)},${this.stateMembers(version)}}`;
  }

  /** Returns the resource of a parsed line, validated like a client's request. Throws `bad_request` listing every problem. */
  read<More extends object>(
    value: Record<string, unknown>,
    latest: Date,
    more?: ExtraMembers<Archived, More>,
  ): Archived & More {
    const line = new RecordFields(value);
    line.take('record', isOneOf([this.kind.records[0]]));
    const archived = {
      ...this.taken(line, this.constant, latest),
      ...more?.take(line),
      ...this.takeState(line, latest),
    } as unknown as Archived & More;
    const { createdAt, updatedAt, author } = archived;
    line.require(updatedAt >= createdAt, 'updatedAt', 'must not be before createdAt');
    more?.require(line, archived);
    line.end();
    return { ...archived, author: author && readPerson(author) };
  }

  /** Returns the version of a parsed line. Throws like {@link read}. */
  readVersion(value: Record<string, unknown>, latest: Date): SupersededVersion<State> {
    const { resource, records, owner } = this.kind;
    const line = new RecordFields(value);
    line.take('record', isOneOf([records[1]]));
    const ownerId = line.take(owner, isId(resource.kind));
    const version = {
      number: line.take('number', isWholeNumber(1, MAX_VERSION)),
      createdAt: line.takeTime('createdAt', latest),
      ...this.takeState(line, latest),
    };
    line.end();
    return {
      ...version,
      author: version.author && readPerson(version.author),
      ownerId: decodeId(resource.kind, ownerId) ?? ownerId,
    };
  }

  private stateMembers(state: State & VersionHistory): string {
    const { changes, author } = state;
    const origin = JSON.stringify({ changes, author: author && presentPerson(author) });
    return `${this.members(this.versioned, state)},${origin.slice(1, -1)}`;
  }

  private takeState(line: RecordFields, latest: Date): State & VersionHistory {
    const { changeable, mayLackAuthor } = this.kind;
    const state = this.taken(line, this.versioned, latest) as State;
    const changes = line.take('changes', isSomeOf(changeable));
    const author = line.take('author', mayLackAuthor ? orNull(isPerson) : isPerson);
    this.kind.require?.(line, state);
    return { ...state, changes, author };
  }

  private members(names: readonly string[], values: object): string {
    const { fields } = this.kind.resource;
    return names.map((name) => memberOf(fields, name, values)).join(',');
  }

  private taken(line: RecordFields, names: readonly string[], latest: Date): object {
    const { fields } = this.kind.resource;
    const values = names.map((name) => {
      const { archived } = fieldIn(fields, name);
      return [name, archived && archived(line, name, latest)];
    });
    return Object.fromEntries(values) as object;
  }
}

function memberOf(fields: FieldMap, name: string, values: object): string {
  const value = (values as Readonly<Record<string, unknown>>)[name];
  return isJson(fieldIn(fields, name))
    ? sourceMembers(name, value as string)
    : `"${name}":${shownValue(fields, name, value)}`;
}
