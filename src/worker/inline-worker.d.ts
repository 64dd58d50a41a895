/** What Vite gives for a worker that is carried in the script that starts it. */
declare module '*?worker&inline' {
  const InlineWorker: new () => Worker;
  export default InlineWorker;
}
