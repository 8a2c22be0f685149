package io.volume4j.core.plugins.flex;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Optional;

/**
 * The answer of a driver.
 *
 * @param message for users, {@code ""} for none; may repeat the call's options
 * @param device path of a device, {@code ""} for none
 * @param volumeName the driver's own name for the volume, {@code ""} for none
 * @param newSize bytes after an expansion, 0 if the driver does not report it
 */
record FlexAnswer(
        Status status,
        String message,
        String device,
        String volumeName,
        boolean attached,
        long newSize,
        FlexCapabilities capabilities) {
    private static final int DEEPEST = 20;
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEEPEST)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /** The three statuses of the protocol. */
    enum Status {
        SUCCESS("Success"),
        FAILURE("Failure"),
        NOT_SUPPORTED("Not supported");

        private final String word;

        Status(String word) {
            this.word = word;
        }
    }

    /** Empty if the output is not one JSON object with a known status. */
    static Optional<FlexAnswer> parse(String output) {
        JsonNode tree;
        try {
            tree = JSON.readTree(output);
        } catch (JacksonException e) {
            return Optional.empty();
        }
        String word = tree.path("status").asText();
        for (Status status : Status.values()) {
            if (status.word.equals(word)) {
                return Optional.of(new FlexAnswer(
                        status,
                        tree.path("message").asText(""),
                        tree.path("device").asText(""),
                        tree.path("volumeName").asText(""),
                        tree.path("attached").asBoolean(false),
                        tree.path("volumeNewSize").asLong(0),
                        FlexCapabilities.of(tree.path("capabilities"))));
            }
        }
        return Optional.empty();
    }

    /** Omits the message, which may repeat options. */
    @Override
    public String toString() {
        return "FlexAnswer[" + status + "]";
    }
}
