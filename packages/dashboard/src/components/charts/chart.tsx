import { useState, type PointerEvent, type ReactNode } from 'react';
import { axisEnd, barPaths, HEIGHT, linePath, stackHeights, WIDTH } from './geometry.js';
import classes from './chart.module.css';

/** What is counted of one kind, in each step of the time that is drawn. */
export interface ChartSeries {
  name: string;
  color: 'good' | 'neutral' | 'warning' | 'limited' | 'bad';
  /** Null where there is nothing to tell. */
  values: readonly (number | null)[];
  /** Its line in the legend: the name, the total, and a link to what was counted. */
  legend: ReactNode;
}

interface ChartProps {
  /** What is drawn, and over which time. */
  title: string;
  /** The visible heading, where the page shows the time already. */
  heading?: string;
  /** How the steps are called, as many as each series has values. */
  times: readonly string[];
  series: readonly ChartSeries[];
  /** Counts stand upon each other, measures are lines. */
  kind: 'bars' | 'lines';
  format: (value: number) => string;
}

/** A drawing over time, with its numbers as a table for those who do not see it, or want them. */
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

/** The ends of the time; under the pointer, the numbers there. */
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

/** The newest first: that is what people look for. */
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
