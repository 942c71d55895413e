/** Time for a browser to start the download, in ms. */
const KEEP = 60_000;

/** Saves a text as a file. */
export function saveFile(name: string, mediaType: string, text: string): void {
  saveBlob(name, new Blob([text], { type: mediaType }));
}

/** Saves data as a file. */
export function saveBlob(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  saveFrom(url, name);
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, KEEP);
}

/** Saves the response of a URL as a file. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
