package io.volume4j.inmemory.mount;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.mount.HostFiles.FileStatus;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Finds the target of a path inside a directory, following links only within it. Guarded by the machine. */
final class InnerPath {
    private static final int MOST_LINKS = 40;

    private final Machine machine;
    private final Path inside;
    private final String call;
    private final int missingMode;
    private final Deque<String> todo = new ArrayDeque<>();
    private final List<Place> way = new ArrayList<>();
    private int links;

    InnerPath(Machine machine, Place top, Path inside, String call) {
        this.machine = machine;
        this.inside = inside;
        this.call = call;
        this.missingMode = top.inode().mode;
        way.add(top);
        inside.forEach(name -> todo.add(name.toString()));
    }

    /** The target; creates missing directories with the mode of the topmost one. */
    Place find() {
        while (!todo.isEmpty()) {
            String name = todo.remove();
            if (name.equals("..")) {
                way.remove(way.size() - 1);
                requireInside();
            } else if (!name.isEmpty() && !name.equals(".")) {
                down(name);
            }
        }
        if (way.size() == 1) {
            throw refusal("is the volume itself");
        }
        return here();
    }

    private void down(String name) {
        if (!here().inode().isDirectory()) {
            throw KernelError.ENOTDIR.of(call);
        }
        Inode child = here().inode().children.get(name);
        if (child == null) {
            child = MemoryFiles.add(here(), name, FileStatus.Type.DIRECTORY, missingMode, call);
            child.group = here().inode().group;
        }
        if (child.type == FileStatus.Type.LINK) {
            follow(child.linkTarget);
        } else {
            way.add(machine.mounts().topmost(new Place(here().mount(), child)));
        }
    }

    private void follow(String text) {
        if (++links > MOST_LINKS) {
            throw KernelError.ELOOP.of(call);
        }
        if (text.startsWith("/")) {
            throw refusal("leads out of the volume by a link to " + text);
        }
        String[] names = text.split("/", -1);
        for (int i = names.length - 1; i >= 0; i--) {
            todo.addFirst(names[i]);
        }
    }

    private Place here() {
        return way.get(way.size() - 1);
    }

    private void requireInside() {
        if (way.isEmpty()) {
            throw refusal("leads out of the volume");
        }
    }

    private VolumeException refusal(String why) {
        return VolumeException.finalFailure("subPath " + inside + " " + why);
    }
}
