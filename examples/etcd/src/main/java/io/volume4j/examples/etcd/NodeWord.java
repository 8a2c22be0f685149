package io.volume4j.examples.etcd;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.etcd.jetcd.ByteSequence;
import java.util.Locale;
import java.util.Optional;

/**
 * A node's statement about itself in etcd. Controllers evaluate it when the node's lease has ended.
 *
 * @param life identifies one life of the node's agent
 * @param machine identifies the machine of the node: two machines with one node's name are an error
 */
record NodeWord(String life, String machine, State state, Guard guard) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Whether the node may have volumes mounted. */
    enum State {
        SERVING,
        /** The node itself wrote that it has no volume mounted that a controller attached. It mounts none in this life any more. */
        FENCED
    }

    /** What resets the machine if the agent hangs or dies. */
    enum Guard {
        NONE,
        /** A watchdog resets the machine before the lease ends, unless the agent renews the lease or fences the node. */
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

    /** Reads a value. Empty if it is not readable: such a value is no evidence. */
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
