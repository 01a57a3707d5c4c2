// The click of a stone, made here: a short burst of noise. No file is loaded, and nothing sounds unless it is switched on.
let context: AudioContext | null = null;

export function stoneSound(): void {
  context ??= new AudioContext();
  const length = 0.06;
  const buffer = context.createBuffer(1, context.sampleRate * length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) {
    samples[i] = (Math.random() * 2 - 1) * Math.exp((-9 * i) / samples.length);
  }
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = 1800;
  source.buffer = buffer;
  source.connect(filter).connect(context.destination);
  source.start();
}
