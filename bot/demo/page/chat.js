import { backstagePanel } from "./backstage.js";
import { connect } from "./connection.js";
import { conversationLog } from "./conversation.js";
import { make, refill } from "./dom.js";
import { chatButton, languageOptions, learnerButton } from "./lists.js";
import { commandMenu } from "./menu.js";
import { showReport } from "./report.js";

const TOAST_MILLISECONDS = 5000;
const ACTION_MILLISECONDS = 5000;
const TAP_MILLISECONDS = 15000;

const page = Object.fromEntries(
  [...document.querySelectorAll("[id]")].map((element) => [element.id, element]),
);

// What the server told. It comes whole after each connection, and then change by change.
let bot = { name: "", username: "" };
let learners = [];
let chats = new Map();
let clockAhead = 0;

// What only this page knows.
let learner = null;
let chat = null;
let connected = false;
let toastTimer;
let statusTimer;
const drafts = new Map();
const unread = new Set();
const picks = new Map();
const explained = new Set();
const waitingTaps = new Set();

const send = connect(receive, takeConnection);
const menuParts = { button: page.commands, list: page.menu, field: page.text };
const menu = commandMenu(menuParts, askProfile, (command) => {
  sendText(command);
  page.text.focus();
});
const backstage = backstagePanel(page, act);

// From the server -------------------------------------------------------------------------------

function receive(told) {
  switch (told.kind) {
    case "state":
      return takeState(told);
    case "learners":
      return takeLearners(told.learners);
    case "profile":
      return takeProfile(told);
    case "message":
      return takeMessage(told.chat, told.message);
    case "deleted":
      return takeDeletion(told.chat, told.message);
    case "action":
      return takeAction(told.chat);
    case "answer":
      return takeAnswer(told);
    case "backstage":
      return takeBackstage(told);
    case "call":
      return backstage.takeCall(told.call);
    case "refusal":
      return showToast(told.text);
  }
}

function takeConnection(isThere) {
  connected = isThere;
  showStatus();
}

function takeState(told) {
  clockAhead = told.now - Date.now() / 1000;
  bot = told.bot;
  learners = told.learners;
  chats = new Map(told.chats.map((each) => [each.id, { ...each, messages: byId(each.messages) }]));
  waitingTaps.clear();
  if (told.backstage !== null) {
    takeBackstage(told.backstage);
    backstage.takeCalls(told.backstage.calls);
  }
  page.language.replaceChildren(...languageOptions(told.languages));
  const [learnerId, chatId] = location.hash.slice(1).split("/").map(Number);
  const { id } = learners.find((each) => each.id === learnerId) ?? learners[0];
  openChat(id, chats.get(chatId)?.members.includes(id) ? chatId : id);
}

function byId(messages) {
  return new Map(messages.map((message) => [message.message_id, message]));
}

function takeLearners(told) {
  learners = told;
  showLists();
  showHeader();
  showStatus();
  askProfile();
}

function takeProfile(told) {
  if (told.learner !== learner || told.chat !== chat) {
    return;
  }
  bot.name = told.name;
  page.description.textContent = told.description;
  menu.fill(told.commands);
  showLists();
  showHeader();
}

function takeMessage(told, message) {
  const messages = chats.get(told.id)?.messages ?? new Map();
  const isNew = !messages.has(message.message_id);
  messages.set(message.message_id, message);
  chats.set(told.id, { ...told, messages });
  if (told.id === chat) {
    conversation.show(message.message_id);
    showEmptiness();
    showStatus();
  }
  if (isNew) {
    told.members.forEach((member) => unread.add(`${member}/${told.id}`));
    unread.delete(`${learner}/${chat}`);
  }
  showLists();
}

function takeDeletion(chatId, messageId) {
  chats.get(chatId)?.messages.delete(messageId);
  if (chatId === chat) {
    conversation.remove(messageId);
    showEmptiness();
  }
  showLists();
}

function takeBackstage(told) {
  backstage.take(told);
  showReport(page.report, told.report);
  if (chat !== null) {
    showStatus();
  }
}

function takeAction(chatId) {
  if (chatId === chat) {
    showStatus("typing…");
    statusTimer = setTimeout(showStatus, ACTION_MILLISECONDS);
  }
}

function takeAnswer({ tap: tapped, text, alert, url }) {
  stopWaiting(tapped);
  if (url) {
    // Telegram lets a button lead to its own bot alone, by an address that may lack its scheme.
    startBot(new URL(url, "https://t.me"), tapped.learner);
  } else if (text && alert) {
    page["alert-text"].textContent = text;
    page.alert.showModal();
  } else if (text) {
    showToast(text);
  }
}

// To the server ---------------------------------------------------------------------------------

function act(action) {
  const sent = send({ ...action, learner, chat });
  if (!sent) {
    showToast("Not connected. Try again in a moment.");
  }
  return sent;
}

function askProfile() {
  send({ do: "look", learner, chat });
}

function sendText(text) {
  return act({ do: "send", text });
}

function tap({ message, data }) {
  const tapped = { learner, chat, message, data };
  if (!waitingTaps.has(keyOf(tapped)) && act({ do: "tap", message, data })) {
    waitingTaps.add(keyOf(tapped));
    conversation.redraw(message);
    setTimeout(() => stopWaiting(tapped), TAP_MILLISECONDS);
  }
}

function stopWaiting(tapped) {
  waitingTaps.delete(keyOf(tapped));
  if (tapped.learner === learner && tapped.chat === chat) {
    conversation.redraw(tapped.message);
  }
}

function keyOf(tapped) {
  return [tapped.learner, tapped.chat, tapped.message, tapped.data].join("/");
}

/** A clicked link: one that starts the bot stays in this page. */
function openLink(event, address) {
  const url = new URL(address);
  if (startsBot(url)) {
    event.preventDefault();
    startBot(url, learner);
  }
}

/** Follow a link that starts the bot: it leads a learner into their private chat. */
function startBot(url, learnerId) {
  openChat(learnerId, learnerId);
  const payload = url.searchParams.get("start");
  sendText(payload ? `/start ${payload}` : "/start");
}

function startsBot(url) {
  return (
    url.host === "t.me" &&
    url.pathname.slice(1).toLowerCase() === bot.username.toLowerCase() &&
    !url.searchParams.has("startgroup")
  );
}

// The conversation ------------------------------------------------------------------------------

/** What the drawing of a message may ask and do. */
const view = {
  get learner() {
    return learner;
  },
  get isGroup() {
    return isGroup(chats.get(chat));
  },
  now: () => Date.now() / 1000 + clockAhead,
  picks: (message) => picks.get(placeOf(message)) ?? new Set(),
  pick(message, position) {
    const picked = new Set(view.picks(message));
    if (!picked.delete(position)) {
      picked.add(position);
    }
    picks.set(placeOf(message), picked);
    conversation.redraw(message.message_id);
  },
  isExplained: (message) => explained.has(placeOf(message)),
  explain(message, isOpen) {
    if (isOpen) {
      explained.add(placeOf(message));
    } else {
      explained.delete(placeOf(message));
    }
    conversation.redraw(message.message_id);
  },
  waitsFor: (tapped) => waitingTaps.has(keyOf({ learner, chat, ...tapped })),
  enlarge(src, alt) {
    page["photo-image"].src = src;
    page["photo-image"].alt = alt;
    page.photo.showModal();
  },
  show: (messageId) => conversation.reveal(messageId),
  act,
  tap,
  openLink,
  sendText,
};
const conversation = conversationLog(page.log, view);

/** One learner's view of one message. */
function placeOf(message) {
  return `${learner}/${chat}/${message.message_id}`;
}

function openChat(learnerId, chatId) {
  if (learner !== learnerId) {
    showToast("");
  }
  if (learner !== learnerId || chat !== chatId) {
    drafts.set(`${learner}/${chat}`, page.text.value);
    page.text.value = drafts.get(`${learnerId}/${chatId}`) ?? "";
    menu.close();
  }
  learner = learnerId;
  chat = chatId;
  unread.delete(`${learner}/${chat}`);
  history.replaceState(null, "", `#${learner}/${chat}`);
  showLists();
  showHeader();
  showStatus();
  conversation.open(chats.get(chat).messages);
  showEmptiness();
  askProfile();
}

function showEmptiness() {
  page.empty.hidden = isGroup(chats.get(chat)) || chats.get(chat).messages.size > 0;
}

// Around the conversation -----------------------------------------------------------------------

function showLists() {
  const people = learners.map((each) =>
    learnerButton(each, {
      current: each.id === learner,
      unread: chatsOf(each.id).some(({ id }) => unread.has(`${each.id}/${id}`)),
      click: () => openChat(each.id, chatFor(each.id)),
    }),
  );
  const conversations = chatsOf(learner).map((each) =>
    chatButton(each, titleOf(each), {
      current: each.id === chat,
      unread: unread.has(`${learner}/${each.id}`),
      click: () => openChat(learner, each.id),
    }),
  );
  refill(page.learners, people.map((button) => make("li", {}, button)));
  refill(page.chats, conversations.map((button) => make("li", {}, button)));
}

/** The chat that a chosen learner is in: the group that is open, if they are in it too. */
function chatFor(learnerId) {
  const open = chats.get(chat);
  return isGroup(open) && open.members.includes(learnerId) ? chat : learnerId;
}

function chatsOf(learnerId) {
  return [...chats.values()].filter(({ members }) => members.includes(learnerId));
}

function isGroup(each) {
  return each !== undefined && each.type !== "private";
}

function titleOf(each) {
  return isGroup(each) ? each.title : bot.name;
}

function showHeader() {
  const { name, language, blocked } = currentLearner();
  document.title = titleOf(chats.get(chat));
  page.title.textContent = document.title;
  page.language.value = language ?? "";
  page.block.textContent = blocked ? `Let ${name} unblock it` : `Let ${name} block it`;
}

function currentLearner() {
  return learners.find(({ id }) => id === learner);
}

function showStatus(text = connected ? subtitleOf(chats.get(chat)) : "Connecting…") {
  clearTimeout(statusTimer);
  page.status.textContent = text;
}

function subtitleOf(each) {
  if (!isGroup(each)) {
    const notes = [currentLearner()?.blocked ? "blocked" : null, backstage.isOff ? "off" : null];
    return ["bot", ...notes.filter(Boolean)].join(", ");
  }
  const { length } = each.members;
  return length === 1 ? "1 learner and the bot" : `${length} learners and the bot`;
}

function showToast(text) {
  clearTimeout(toastTimer);
  page.toast.textContent = text;
  toastTimer = setTimeout(() => (page.toast.textContent = ""), TOAST_MILLISECONDS);
}

// What the learner does around the conversation -------------------------------------------------

function submit(event) {
  event.preventDefault();
  if (page.text.value.trim() !== "" && sendText(page.text.value)) {
    page.text.value = "";
    menu.close();
  }
  page.text.focus();
}

page.composer.addEventListener("submit", submit);
page.text.addEventListener("keydown", (event) => {
  // While an input method composes a character, Enter belongs to it.
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    submit(event);
  }
});
page.start.addEventListener("click", () => {
  sendText("/start");
  page.text.focus();
});
page.photo.addEventListener("click", () => page.photo.close());
page.block.addEventListener("click", () => {
  act({ do: currentLearner().blocked ? "unblock" : "block" });
});
page.language.addEventListener("change", () => act({ do: "language", code: page.language.value }));
