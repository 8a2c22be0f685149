package io.volume4j.examples.etcd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.etcd.jetcd.ByteSequence;
import java.util.Locale;
import java.util.Optional;

/**
 * What a node says of itself in etcd, for the controllers to judge when its lease has ended.
 *
 * @param life names one life of its agent
 * @param machine names the machine that it runs on: two machines of one node's name are a mistake
 */
record NodeWord(String life, String machine, State state, Guard guard) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Whether it may have volumes mounted. */
    enum State {
        SERVING,
        /** It wrote itself that it has none that a controller attached, and mounts none in this life any more. */
        FENCED
    }

    /** What stops the machine if the agent does not. */
    enum Guard {
        NONE,
        /** A watchdog resets the machine before the lease ends, unless the agent renewed it or fenced the node. */
        WATCHDOG
    }

    NodeWord fenced() {
        return new NodeWord(life, machine, State.FENCED, guard);
    }

    NodeWord guarded() {
        return new NodeWord(life, machine, state, Guard.WATCHDOG);
    }

    NodeWord unguarded() {
        return new NodeWord(life, machine, state, Guard.NONE);
    }

    ByteSequence write() {
        ObjectNode tree = JSON.createObjectNode()
                .put("life", life)
                .put("machine", machine)
                .put("state", state.name().toLowerCase(Locale.ROOT))
                .put("guard", guard.name().toLowerCase(Locale.ROOT));
        return EtcdKeys.bytes(tree.toString());
    }

    /** Empty for what cannot be read, which proves nothing. */
    static Optional<NodeWord> read(ByteSequence value) {
        try {
            JsonNode tree = JSON.readTree(EtcdKeys.text(value));
            return Optional.of(new NodeWord(
                    tree.required("life").asText(),
                    tree.required("machine").asText(),
                    State.valueOf(tree.required("state").asText().toUpperCase(Locale.ROOT)),
                    Guard.valueOf(tree.required("guard").asText().toUpperCase(Locale.ROOT))));
        } catch (JsonProcessingException | IllegalArgumentException foreign) {
            return Optional.empty();
        }
    }
}
