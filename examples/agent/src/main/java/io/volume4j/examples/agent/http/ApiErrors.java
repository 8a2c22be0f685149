package io.volume4j.examples.agent.http;

import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.host.ClusterException.Reason;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The meaning of an answer that is not a success. */
final class ApiErrors {
    private static final int LONGEST_MESSAGE = 500;

    private ApiErrors() {}

    /**
     * @param what the request, for messages
     * @param name of the requested object, {@code ""} without one. Only an answer about this very object proves that it does
     *     not exist: a wrong path, a proxy or an unknown kind also give 404.
     */
    static ClusterException of(String what, String name, int code, byte[] body) {
        Map<String, @Nullable Object> status = status(body);
        Map<String, @Nullable Object> details = Json.map(status, "details");
        String words = Json.text(status, "message");
        String message = what + ": " + code
                + (words.isEmpty() ? ", without a reason that can be read; " + advice(code) : ": " + shown(words));
        return new ClusterException(reason(code, Json.text(status, "reason"), details, name), message);
    }

    private static String advice(int code) {
        return switch (code) {
            case 401 -> "check the token or the certificate";
            case 403 -> "check what this user may do";
            default -> "check that the address is an API server's";
        };
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
            // Includes 401: after the renewal of an expired token the same request succeeds.
            default -> Reason.UNAVAILABLE;
        };
    }

    /** The server reports a patch with another UID as an attempt to change the UID. */
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

    /** On one line and of limited length. */
    private static String shown(String words) {
        String line = words.replaceAll("\\p{Cntrl}+", " ");
        return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + "…";
    }
}
