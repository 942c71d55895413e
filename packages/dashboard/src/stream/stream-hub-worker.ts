import { StreamHub, type TabPort } from './stream-hub.js';

/** How long a stream stays open while every tab is hidden, in ms, so that switching windows does not reconnect. */
const HIDDEN_FOR_MS = 60_000;

const hub = new StreamHub(HIDDEN_FOR_MS);

// The global scope of a SharedWorker: TypeScript's DOM library has no type for it.
(globalThis as unknown as { onconnect: (event: MessageEvent) => void }).onconnect = ({ ports }) => {
  const [port] = ports;
  if (port) hub.join(port as unknown as TabPort);
};
