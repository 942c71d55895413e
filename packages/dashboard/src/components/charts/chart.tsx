import { useState, type PointerEvent, type ReactNode } from 'react';
import { axisEnd, barPaths, HEIGHT, linePath, stackHeights, WIDTH } from './geometry.js';
import { stepName, ticksOf, type Step } from './time-axis.js';
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
  /** Start of each step as ISO 8601, as many as each series has values. The last step is the current one. */
  starts: readonly string[];
  step: Step;
  series: readonly ChartSeries[];
  /** Counts are stacked bars, measurements are lines. */
  kind: 'bars' | 'lines';
  format: (value: number) => string;
}

/** A chart over time. Its numbers are also available as a table. */
export function Chart(props: ChartProps) {
  const { title, heading = title, series, kind, format } = props;
  const values = series.map((one) => one.values);
  const end = axisEnd(kind === 'bars' ? stackHeights(values) : values.flat());
  return (
    <figure className={classes.chart} aria-label={title}>
      <figcaption className={classes.title}>{heading}</figcaption>
      <Legend series={series} />
      <div className={classes.end} aria-hidden="true">
        {format(end)}
      </div>
      <Plot {...props} end={end} />
      <Axis {...props} />
      <details className={classes.table}>
        <summary>Show table</summary>
        <div className={classes.scroll} role="region" aria-label={`${title}, values`} tabIndex={0}>
          <Numbers {...props} />
        </div>
      </details>
    </figure>
  );
}

/** Counts in 48 px, for a page whose list is more important. */
export function Sparkline(props: Omit<ChartProps, 'kind'>) {
  const { title, series } = props;
  const end = axisEnd(stackHeights(series.map(({ values }) => values)));
  return (
    <figure className={classes.sparkline} aria-label={title}>
      <figcaption className={classes.title}>{title}</figcaption>
      <Legend series={series} />
      <Plot {...props} kind="bars" end={end} />
      <Axis {...props} />
    </figure>
  );
}

/** Names the series that have a value other than 0. */
function Legend({ series }: Pick<ChartProps, 'series'>) {
  return (
    <ul className={classes.legend}>
      {series.filter(hasValue).map(({ name, color, legend }) => (
        <li key={name}>
          <span className={`${classes.swatch ?? ''} ${classes[color] ?? ''}`} />
          {legend}
        </li>
      ))}
    </ul>
  );
}

function hasValue({ values }: ChartSeries): boolean {
  return values.some((value) => value !== null && value !== 0);
}

type PlotProps = Omit<ChartProps, 'heading'> & {
  /** Value at the top. */
  end: number;
};

/** The drawing. Shows the values of the step at the pointer. */
function Plot(props: PlotProps) {
  const { title, starts, series, kind, end } = props;
  const [hovered, setHovered] = useState<number>();
  const hover = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / width) * starts.length);
    setHovered(index >= 0 && index < starts.length ? index : undefined);
  };
  const place = WIDTH / Math.max(1, starts.length);
  return (
    <div
      className={classes.plotFrame}
      onPointerMove={hover}
      onPointerDown={hover}
      onPointerLeave={() => {
        setHovered(undefined);
      }}
    >
      <svg
        className={classes.plot}
        viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} (chart)`}
      >
        <rect
          className={classes.current}
          x={WIDTH - place}
          width={place}
          height={HEIGHT}
          aria-hidden="true"
        />
        {hovered !== undefined && (
          <rect className={classes.hovered} x={hovered * place} width={place} height={HEIGHT} />
        )}
        <path className={classes.gridLine} d={`M0 0.5H${String(WIDTH)}M0 50H${String(WIDTH)}`} />
        <Drawing series={series} kind={kind} end={end} />
      </svg>
      {hovered !== undefined && <Values {...props} index={hovered} />}
    </div>
  );
}

function Drawing({ series, kind, end }: Pick<PlotProps, 'series' | 'kind' | 'end'>) {
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

/** The values of a step, in a box beside the pointer. */
function Values({ starts, step, series, format, index }: PlotProps & { index: number }) {
  const shown = series.filter(({ values }) => (values[index] ?? 0) !== 0);
  const isLast = index === starts.length - 1;
  const side = index < starts.length / 2 ? 'right' : 'left';
  const share = ((index + (side === 'right' ? 1 : 0)) / starts.length) * 100;
  return (
    <div
      className={classes.values}
      data-side={side}
      // The policy forbids style attributes in HTML, not properties set by a script.
      style={
        side === 'right' ? { left: `${String(share)}%` } : { right: `${String(100 - share)}%` }
      }
      aria-hidden="true"
    >
      <strong>
        {stepName(starts[index] ?? '', step)}
        {isLast && ', so far'}
      </strong>
      {shown.length === 0 && <span>None</span>}
      {shown.map(({ name, color, values }) => (
        <span key={name}>
          <span className={`${classes.swatch ?? ''} ${classes[color] ?? ''}`} />
          {name}
          <b>{format(values[index] ?? 0)}</b>
        </span>
      ))}
    </div>
  );
}

/** Labels that are closer to the end than this share would cover "Now". */
const NOW_SHARE = 0.78;

/** Labels below the steps that they name. */
function Axis({ starts, step }: Pick<ChartProps, 'starts' | 'step'>) {
  const ticks = ticksOf(starts, step).filter(({ index }) => index < starts.length * NOW_SHARE);
  return (
    <div className={classes.axis} aria-hidden="true">
      {ticks.map(({ index, text }) => (
        <span key={index} style={{ left: `${String((index / starts.length) * 100)}%` }}>
          {text}
        </span>
      ))}
      <span className={classes.now}>{step === 'day' ? 'Today' : 'Now'}</span>
    </div>
  );
}

/** Newest first, because people look for that. */
function Numbers({ title, starts, step, series, format }: Omit<ChartProps, 'kind'>) {
  const rows = starts.map((start, index) => ({ start, index })).reverse();
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
        {rows.map(({ start, index }) => (
          <tr key={index}>
            <td>{stepName(start, step)}</td>
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
