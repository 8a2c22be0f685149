package io.volume4j.examples.etcd;

import io.etcd.jetcd.ByteSequence;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.ObjectKey;
import java.nio.charset.StandardCharsets;

/**
 * The layout of the keys in etcd. An object is at {@code PREFIX/objects/KIND/NAMESPACE/NAME}, or {@code PREFIX/objects/KIND/NAME} if its
 * kind has no namespaces. A candidate of an election is at {@code PREFIX/elections/NAME/LEASE}. Secrets and config maps are separate
 * from the objects, at {@code PREFIX/secrets/NAMESPACE/NAME} and {@code PREFIX/configmaps/NAMESPACE/NAME}, so that an administrator of
 * etcd can grant access to each of them separately. A node's lease and its statement are at {@code PREFIX/nodes/NAME/lease} and {@code
 * PREFIX/nodes/NAME/word}.
 *
 * @param prefix begins with a slash and does not end with one
 */
record EtcdKeys(String prefix) {
    EtcdKeys {
        if (!prefix.startsWith("/") || prefix.endsWith("/")) {
            throw new IllegalArgumentException(
                    "the prefix must begin with a slash and not end with one, such as /volume4j, but is \"" + prefix
                            + "\"");
        }
    }

    ByteSequence ofKind(Kind kind) {
        return bytes(prefix + "/objects/" + kind.apiName() + "/");
    }

    ByteSequence of(ObjectKey key) {
        String place = key.kind().namespaced() ? key.namespace() + "/" + key.name() : key.name();
        return bytes(prefix + "/objects/" + key.kind().apiName() + "/" + place);
    }

    ByteSequence ofSecret(String namespace, String name) {
        return bytes(prefix + "/secrets/" + namespace + "/" + name);
    }

    ByteSequence ofConfigMap(String namespace, String name) {
        return bytes(prefix + "/configmaps/" + namespace + "/" + name);
    }

    /** The prefix of the leases and statements of all nodes. */
    String ofNodes() {
        return prefix + "/nodes/";
    }

    ByteSequence ofNodeLease(String node) {
        return bytes(ofNodes() + node + "/lease");
    }

    ByteSequence ofNodeWord(String node) {
        return bytes(ofNodes() + node + "/word");
    }

    ByteSequence ofElection(String name) {
        return bytes(prefix + "/elections/" + name + "/");
    }

    ByteSequence ofCandidate(String election, long lease) {
        return bytes(prefix + "/elections/" + election + "/" + Long.toHexString(lease));
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }

    static String text(ByteSequence bytes) {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
