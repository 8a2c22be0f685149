package io.volume4j.examples.agent.store;

import io.volume4j.spi.host.ClusterException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A refused request, with the answer that Kubernetes would give. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String reason;
    private final String field;

    Refusal(int code, String reason, String message) {
        this(code, reason, message, "");
    }

    private Refusal(int code, String reason, String message, String field) {
        super(message);
        this.code = code;
        this.reason = reason;
        this.field = field;
    }

    /** Kubernetes reports a patch with another UID as an attempt to change the UID. */
    static Refusal otherUid(String message) {
        return new Refusal(422, "Invalid", message, "metadata.uid");
    }

    static Refusal of(ClusterException refused) {
        String message = String.valueOf(refused.getMessage());
        return switch (refused.reason()) {
            case CONFLICT -> new Refusal(409, "Conflict", message);
            case NOT_FOUND -> new Refusal(404, "NotFound", message);
            case ALREADY_EXISTS -> new Refusal(409, "AlreadyExists", message);
            case INVALID -> new Refusal(422, "Invalid", message);
            case FORBIDDEN -> new Refusal(403, "Forbidden", message);
            case UNAVAILABLE -> new Refusal(503, "ServiceUnavailable", message);
        };
    }

    int code() {
        return code;
    }

    /** The {@code Status} object, for a request for the object of that name. */
    Map<String, @Nullable Object> tree(String name) {
        Map<String, @Nullable Object> details = new LinkedHashMap<>();
        details.put("name", name);
        if (!field.isEmpty()) {
            details.put("causes", List.of(Map.of("field", field, "reason", "FieldValueInvalid")));
        }
        Map<String, @Nullable Object> status = new LinkedHashMap<>();
        status.put("kind", "Status");
        status.put("apiVersion", "v1");
        status.put("status", "Failure");
        status.put("message", getMessage());
        status.put("reason", reason);
        status.put("details", details);
        status.put("code", code);
        return status;
    }
}
