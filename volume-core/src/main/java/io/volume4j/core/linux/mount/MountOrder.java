package io.volume4j.core.linux.mount;

import io.volume4j.spi.mount.MountEntry;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which mounts of a directory tree can have been made: each comes after its parent, and after all mounts
 * that it hides. A later mount on {@code /a} hides an earlier one on {@code /a/b}. In the reverse order each mount can
 * be unmounted by its path. Pure.
 */
final class MountOrder {
    private final Map<Long, List<MountEntry>> children = new HashMap<>();
    private final Set<MountEntry> placed = new HashSet<>();
    private final List<MountEntry> inOrder;

    private MountOrder(int size) {
        this.inOrder = new ArrayList<>(size);
    }

    /** @param byPath with each path before the paths below it, and stacked mounts from the lowest to the topmost */
    static List<MountEntry> of(List<MountEntry> byPath) {
        if (byPath.size() < 2) {
            return Collections.unmodifiableList(byPath);
        }
        MountOrder order = new MountOrder(byPath.size());
        order.place(byPath);
        return Collections.unmodifiableList(order.inOrder);
    }

    private void place(List<MountEntry> byPath) {
        Set<Long> ids = new HashSet<>();
        byPath.forEach(mount -> ids.add(mount.id()));
        List<MountEntry> tops = new ArrayList<>();
        for (MountEntry mount : byPath) {
            boolean top = mount.parentId() == mount.id() || !ids.contains(mount.parentId());
            (top ? tops : children.computeIfAbsent(mount.parentId(), id -> new ArrayList<>(1))).add(mount);
        }
        placeTrees(tops);
        // Only a table that changed during its reading can contain a cycle.
        byPath.stream().filter(mount -> !placed.contains(mount)).forEach(inOrder::add);
    }

    private void placeTrees(List<MountEntry> tops) {
        Deque<MountEntry> todo = new ArrayDeque<>();
        push(tops, todo);
        while (!todo.isEmpty()) {
            MountEntry next = todo.pop();
            if (placed.add(next)) {
                inOrder.add(next);
                push(children.getOrDefault(next.id(), List.of()), todo);
            }
        }
    }

    private static void push(List<MountEntry> siblings, Deque<MountEntry> todo) {
        List<MountEntry> sorted = hiddenFirst(siblings);
        for (int i = sorted.size() - 1; i >= 0; i--) {
            todo.push(sorted.get(i));
        }
    }

    /** A mount hides those of its siblings that are below its path: otherwise it would be their parent. */
    private static List<MountEntry> hiddenFirst(List<MountEntry> siblings) {
        if (siblings.size() < 2) {
            return siblings;
        }
        List<MountEntry> sorted = new ArrayList<>(siblings.size());
        Deque<MountEntry> hiding = new ArrayDeque<>();
        for (MountEntry mount : siblings) {
            while (!hiding.isEmpty()
                    && !isBelow(mount.mountPoint(), hiding.element().mountPoint())) {
                sorted.add(hiding.pop());
            }
            hiding.push(mount);
        }
        sorted.addAll(hiding);
        return sorted;
    }

    private static boolean isBelow(Path path, Path upper) {
        return !path.equals(upper) && path.startsWith(upper);
    }
}
