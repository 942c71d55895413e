import type { ReactNode } from 'react';
import { Meter } from './meter.js';
import { formatCount } from './numbers.js';
import classes from './limits-table.module.css';

export interface Limit {
  /** What is limited, such as "Requests this minute". */
  name: string;
  /** `null` if it is not counted. */
  used: number | null;
  /** `null` is unlimited. */
  limit: number | null;
  format?: (amount: number) => string;
  /** When the limit resets, or a link to what it counts. */
  note?: ReactNode;
}

/** Shows the usage of each limit as a number and a bar. */
export function LimitsTable({ name, limits }: { name: string; limits: readonly Limit[] }) {
  return (
    <table className={classes.table} role="table" aria-label={name}>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">
            Limit
          </th>
          <th scope="col" role="columnheader" className={classes.number}>
            Used
          </th>
          <th scope="col" role="columnheader" className={classes.number}>
            Allowed
          </th>
          <th scope="col" role="columnheader" className={classes.bar}>
            <span className="visually-hidden">Share</span>
          </th>
          <th scope="col" role="columnheader" className={classes.note}>
            Details
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {limits.map((limit) => (
          <Row key={limit.name} {...limit} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ name, used, limit, format = formatCount, note }: Limit) {
  return (
    <tr role="row">
      <th scope="row" role="rowheader" className={classes.name}>
        {name}
      </th>
      <td role="cell" className={classes.number}>
        {used === null ? '–' : format(used)}
      </td>
      <td role="cell" className={classes.number} data-before="of">
        {limit === null ? 'No limit' : format(limit)}
      </td>
      <td role="cell" className={classes.bar}>
        {limit !== null && <Meter name={name} used={used} limit={limit} format={format} />}
      </td>
      <td role="cell" className={classes.note}>
        {note}
      </td>
    </tr>
  );
}
