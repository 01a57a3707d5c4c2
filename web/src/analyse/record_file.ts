// A file as the server takes it: its bytes, for the encoding is found there.
export async function fileRecord(file: File): Promise<{ base64: string }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { base64: btoa(text) };
}
