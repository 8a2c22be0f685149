package io.volume4j.core.plugins.common;

/** Text from elsewhere, made fit for one line of a message. */
public final class MessageText {
    private static final int LONGEST = 120;

    private MessageText() {}

    /** In quotes, without control characters and not too long. */
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

    /** What an exception says, or its kind where it says nothing. */
    public static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
