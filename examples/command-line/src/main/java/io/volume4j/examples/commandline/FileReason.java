package io.volume4j.examples.commandline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be used, in words: the JDK's messages are the path alone, or say nothing to a user. */
public final class FileReason {
    private FileReason() {}

    /** The failure as a message: the file, if there is one, and why; or what the code that failed says of it itself. */
    public static String told(Exception failure) {
        String message = failure.getMessage();
        if (failure instanceof UncheckedIOException && failure.getCause() instanceof IOException cause) {
            if (message != null && !message.equals(cause.toString()) && !message.equals(cause.getMessage())) {
                return message;
            }
            return told(cause);
        }
        if (failure instanceof FileSystemException file && file.getFile() != null) {
            return file.getFile() + ": " + of(file);
        }
        return message == null ? failure.toString() : message;
    }

    public static String of(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "this process may not use it";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "it is there already";
        }
        if (failure instanceof CharacterCodingException) {
            return "it is no text in UTF-8";
        }
        String reason = failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
        return reason == null ? failure.toString() : reason;
    }
}
