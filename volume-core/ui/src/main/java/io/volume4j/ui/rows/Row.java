package io.volume4j.ui.rows;

import java.util.List;
import java.util.Locale;

/**
 * One volume of a node, or one object of a controller. Immutable.
 *
 * @param source the name of the node or controller
 * @param key the id within the source
 * @param type {@code Volume}, or the kind of the object
 * @param name for users: of the PersistentVolume, or of the object
 * @param namespace {@code ""} for objects without namespace
 * @param plugin {@code ""} for objects
 * @param wanted the pods that use it, {@code namespace/name}
 * @param attach as in {@code NodeSnapshot.Actual}; {@code ""} for objects
 * @param device the same
 * @param devicePath the same
 * @param mounts of its pods
 * @param why the running, next or awaited step, in one line; {@code ""} if there is none
 * @param error of the last failed attempt, {@code ""} for none
 * @param attempts failed attempts in a row
 * @param nextTryMillis wall clock of the next attempt, 0 if none is scheduled
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

    /** The row's id in one table; rows are sorted by it. */
    String id() {
        return source + "\n" + key;
    }

    /** Whether one of its texts contains the word, which is in lower case. */
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
