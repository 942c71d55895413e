import type { components } from '../../../api/v1-schema.js';
import { statusName, typeName } from '../document-types.js';
import { fieldChanges } from './field-rows.js';
import classes from './history.module.css';

/** Shows the fields in which two versions differ, except the text. */
export function FieldChanges({ diff }: { diff: components['schemas']['VersionDiff'] }) {
  const rows = fieldChanges(diff, { status: statusName, type: typeName });
  if (rows.length === 0) return null;
  return (
    <div className={classes.fields}>
      <table aria-label="Fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>{before === undefined ? '–' : <del>{before}</del>}</td>
              <td>{after === undefined ? '–' : <ins>{after}</ins>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
