import { encode } from 'uqr';
import classes from './qr-code.module.css';

/** White space around the code, in modules, as the standard requires. */
const QUIET_ZONE = 4;

/** A QR code. Drawn as one path, black on white in both color schemes. */
export default function QrCode({ text, name }: { text: string; name: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${String(x)} ${String(y)}h1v1h-1z` : '')))
    .join('');
  const side = String(size);
  return (
    <svg
      className={classes.code}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={name}
      shapeRendering="crispEdges"
    >
      <path className={classes.light} d={`M0 0h${side}v${side}H0z`} />
      <path className={classes.dark} d={path} />
    </svg>
  );
}
