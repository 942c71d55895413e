import { useState, type PointerEvent, type ReactNode } from 'react';
import { axisEnd, barPaths, HEIGHT, linePath, stackHeights, WIDTH } from './geometry.js';
import classes from './chart.module.css';

/** A series: one value for each step of the time range. */
export interface ChartSeries {
  name: string;
  color: 'good' | 'neutral' | 'warning' | 'limited' | 'bad';
  /** Null if there is no value. */
  values: readonly (number | null)[];
  /** Entry in the legend: the name, the total, and a link to what was counted. */
  legend: ReactNode;
}

interface ChartProps {
  /** Accessible name: what is shown, and for which time. */
  title: string;
  /** Visible heading, for pages that already show the time range. */
  heading?: string;
  /** Labels of the steps, as many as each series has values. */
  times: readonly string[];
  series: readonly ChartSeries[];
  /** Counts are stacked bars, measurements are lines. */
  kind: 'bars' | 'lines';
  format: (value: number) => string;
}

/** A chart over time. Its numbers are also available as a table. */
export function Chart(props: ChartProps) {
  const { title, heading = title, times, series, kind, format } = props;
  const [hovered, setHovered] = useState<number>();
  const values = series.map((one) => one.values);
  const end = axisEnd(kind === 'bars' ? stackHeights(values) : values.flat());
  const hover = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * times.length);
    setHovered(index >= 0 && index < times.length ? index : undefined);
  };
  return (
    <figure className={classes.chart} aria-label={title}>
      <figcaption className={classes.title}>{heading}</figcaption>
      <ul className={classes.legend}>
        {series.map(({ name, color, legend }) => (
          <li key={name}>
            <span className={`${classes.swatch ?? ''} ${classes[color] ?? ''}`} />
            {legend}
          </li>
        ))}
      </ul>
      <div className={classes.end} aria-hidden="true">
        {format(end)}
      </div>
      <svg
        className={classes.plot}
        viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} (chart). The table below lists the values.`}
        onPointerMove={hover}
        onPointerLeave={() => {
          setHovered(undefined);
        }}
      >
        {hovered !== undefined && (
          <rect
            className={classes.hovered}
            x={(hovered * WIDTH) / times.length}
            width={WIDTH / times.length}
            height={HEIGHT}
          />
        )}
        <path className={classes.gridLine} d={`M0 0.5H${String(WIDTH)}M0 50H${String(WIDTH)}`} />
        <Drawing series={series} kind={kind} end={end} />
      </svg>
      <Axis {...props} hovered={hovered} />
      <details className={classes.table}>
        <summary>Show table</summary>
        <div className={classes.scroll} role="region" aria-label={`${title}, values`} tabIndex={0}>
          <Numbers times={times} series={series} format={format} title={title} />
        </div>
      </details>
    </figure>
  );
}

function Drawing({ series, kind, end }: Pick<ChartProps, 'series' | 'kind'> & { end: number }) {
  const bars =
    kind === 'bars'
      ? barPaths(
          series.map(({ values }) => values),
          end,
        )
      : undefined;
  return series.map(({ name, color, values }, index) => (
    <path
      key={name}
      className={`${classes[color] ?? ''} ${bars ? '' : (classes.line ?? '')}`}
      d={bars ? (bars[index] ?? '') : linePath(values, end)}
    />
  ));
}

type AxisProps = ChartProps & { hovered: number | undefined };

/** Labels of the first and the last step, or the numbers at the pointer. */
function Axis({ times, series, format, hovered }: AxisProps) {
  if (hovered === undefined) {
    return (
      <div className={classes.axis} aria-hidden="true">
        <span>{times[0]}</span>
        <span>{times.at(-1)}</span>
      </div>
    );
  }
  const numbers = series.map(({ name, values }) => {
    const value = values[hovered];
    return `${name} ${typeof value === 'number' ? format(value) : '–'}`;
  });
  return (
    <div className={classes.axis} aria-hidden="true">
      <span>
        {times[hovered]}: {numbers.join(', ')}
      </span>
    </div>
  );
}

/** Newest first, because people look for that. */
function Numbers({ title, times, series, format }: Omit<ChartProps, 'kind'>) {
  const rows = times.map((time, index) => ({ time, index })).reverse();
  return (
    <table aria-label={title}>
      <thead>
        <tr>
          <th scope="col">Time</th>
          {series.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ time, index }) => (
          <tr key={index}>
            <td>{time}</td>
            {series.map(({ name, values }) => {
              const value = values[index];
              return <td key={name}>{typeof value === 'number' ? format(value) : '–'}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
