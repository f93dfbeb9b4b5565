const FIRST_WAIT = 300;
const LONGEST_WAIT = 3000;

/**
 * Keep a WebSocket to the server open, opening it again whenever it ends. Each message goes to
 * `receive`, the state of the line to `tell(connected)`. Returns a function that sends a value
 * and says whether the line was there.
 */
export function connect(receive, tell) {
  let socket;
  let wait = FIRST_WAIT;

  function open() {
    socket = new WebSocket(`ws://${location.host}/page/socket`);
    socket.addEventListener("open", () => {
      wait = FIRST_WAIT;
      tell(true);
    });
    socket.addEventListener("message", (event) => receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      tell(false);
      setTimeout(open, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    });
  }

  open();
  return (value) => {
    const connected = socket.readyState === WebSocket.OPEN;
    if (connected) {
      socket.send(JSON.stringify(value));
    }
    return connected;
  };
}
