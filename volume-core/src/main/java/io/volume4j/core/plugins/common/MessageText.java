package io.volume4j.core.plugins.common;

import io.volume4j.spi.model.OneLine;

/** Shortens and cleans foreign text for one line of a message. */
public final class MessageText {
    private MessageText() {}

    /** The text in quotes, without control characters and of limited length. */
    public static String text(String text) {
        return OneLine.quoted(text);
    }

    /** The message of an exception, or its class if it has none. */
    public static String reason(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
