package io.volume4j.core.plugins.common;

/** Shortens and cleans foreign text for one line of a message. */
public final class MessageText {
    private static final int LONGEST = 120;

    private MessageText() {}

    /** The text in quotes, without control characters and of limited length. */
    public static String text(String text) {
        StringBuilder shown = new StringBuilder("\"");
        text.codePoints()
                .limit(LONGEST)
                .map(point ->
                        Character.isISOControl(point) || Character.getType(point) == Character.FORMAT ? '?' : point)
                .forEach(shown::appendCodePoint);
        return shown.append(text.codePointCount(0, text.length()) > LONGEST ? "…\"" : "\"")
                .toString();
    }

    /** The message of an exception, or its class if it has none. */
    public static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
