package io.volume4j.ui.rows;

import java.util.List;
import java.util.Locale;

/**
 * One volume of a node, or one object of the cluster that a controller looks at. Immutable.
 *
 * @param source the name of the node or controller
 * @param key what the source calls it
 * @param type {@code Volume}, or the kind of the object
 * @param name for people: of the PersistentVolume, or of the object
 * @param namespace {@code ""} for what has none
 * @param plugin {@code ""} for objects
 * @param wanted the pods that want it, {@code namespace/name}
 * @param attach as {@code NodeSnapshot.Actual} has it; {@code ""} for objects
 * @param device the same
 * @param devicePath the same
 * @param mounts of its pods
 * @param why what is done, comes next or is waited for, in one line; {@code ""} if it is as it should be
 * @param error of the last failed try, {@code ""} for none
 * @param attempts failed tries in a row
 * @param nextTryMillis wall clock of the next try, 0 if none is put off
 */
public record Row(
        String source,
        String key,
        String type,
        String name,
        String namespace,
        String plugin,
        List<String> wanted,
        String attach,
        String device,
        String devicePath,
        List<Mount> mounts,
        RowState state,
        String why,
        String error,
        int attempts,
        long nextTryMillis) {
    /** One pod's mount. */
    public record Mount(String pod, String state, String path, boolean readOnly) {}

    public Row {
        wanted = List.copyOf(wanted);
        mounts = List.copyOf(mounts);
    }

    /** Sorts rows and names them in one table. */
    String id() {
        return source + "\n" + key;
    }

    /** Whether any of its texts contains the word, which is in lower case. */
    boolean contains(String word) {
        return has(name, word)
                || has(key, word)
                || has(namespace, word)
                || has(type, word)
                || wanted.stream().anyMatch(pod -> has(pod, word))
                || mounts.stream().anyMatch(mount -> has(mount.pod(), word))
                || has(why, word)
                || has(error, word);
    }

    boolean inNamespace(String wantedNamespace) {
        String prefix = wantedNamespace + "/";
        return namespace.equals(wantedNamespace)
                || wanted.stream().anyMatch(pod -> pod.startsWith(prefix))
                || mounts.stream().anyMatch(mount -> mount.pod().startsWith(prefix));
    }

    private static boolean has(String text, String word) {
        return text.toLowerCase(Locale.ROOT).contains(word);
    }
}
