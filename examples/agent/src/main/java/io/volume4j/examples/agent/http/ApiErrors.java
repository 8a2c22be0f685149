package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an answer that is no success means. */
final class ApiErrors {
    private static final int LONGEST_MESSAGE = 500;

    private ApiErrors() {}

    /**
     * @param what the request in words
     * @param name of the object that was asked for, {@code ""} if none was: only a server that says that this very object is
     *     not there says that it is not there. A wrong path, a proxy or a kind that is not served are answered 404 as well.
     */
    static ClusterException of(String what, String name, int code, byte[] body) {
        Map<String, @Nullable Object> status = status(body);
        Map<String, @Nullable Object> details = Json.map(status, "details");
        String words = Json.text(status, "message");
        String message =
                what + ": " + code + (words.isEmpty() ? ", without a reason that can be read" : ": " + shown(words));
        return new ClusterException(reason(code, Json.text(status, "reason"), details, name), message);
    }

    private static Reason reason(int code, String reason, Map<String, @Nullable Object> details, String name) {
        return switch (code) {
            case 404 -> {
                boolean thisOne = reason.equals("NotFound")
                        && (name.isEmpty() || Json.text(details, "name").equals(name));
                yield thisOne ? Reason.NOT_FOUND : Reason.UNAVAILABLE;
            }
            case 409 -> reason.equals("AlreadyExists") ? Reason.ALREADY_EXISTS : Reason.CONFLICT;
            case 422 -> uidDiffers(details) ? Reason.CONFLICT : Reason.INVALID;
            case 400, 405, 406, 413, 415 -> Reason.INVALID;
            case 403 -> Reason.FORBIDDEN;
            // 401 among them: a token that has just run out is renewed, and then the same request will do.
            default -> Reason.UNAVAILABLE;
        };
    }

    /** A patch for an object with another UID is answered as the attempt to change the UID. */
    private static boolean uidDiffers(Map<String, @Nullable Object> details) {
        return Json.maps(details, "causes").stream()
                .anyMatch(cause -> Json.text(cause, "field").equals("metadata.uid"));
    }

    private static Map<String, @Nullable Object> status(byte[] body) {
        try {
            Map<String, @Nullable Object> status = Json.read(body);
            return Json.text(status, "kind").equals("Status") ? status : Map.of();
        } catch (IOException noStatus) {
            return Map.of();
        }
    }

    /** On one line, and not endless. */
    private static String shown(String words) {
        String line = words.replaceAll("\\p{Cntrl}+", " ");
        return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + "…";
    }
}
