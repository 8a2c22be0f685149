package io.volume4j.csi.driver.backend;

import java.nio.file.Path;
import java.util.List;

/** How a volume's content appears at the paths of a request. Every method is idempotent. */
interface Exposure {
    /** Shows a directory at the staging directory, which exists. */
    void stage(Path files, Path staging);

    /** Removes the content from the staging directory; the directory stays. */
    void unstage(Path staging);

    /** Creates the target and shows a directory there. */
    void publishFiles(Path files, Path target, boolean readOnly);

    /** Creates the target and shows a block device there. */
    void publishDevice(Path image, Path target, boolean readOnly);

    /** Removes the content and the target. */
    void unpublish(Path target);

    /** Removes the content, and the target stays, as after a reboot of the machine. */
    void vanish(Path target);

    /** Called when no path uses the image any more. */
    void release(Path image);

    /** Called when the image has grown. */
    void grown(Path image);

    /** Called when no path uses an image below the directory any more. */
    void releaseAll(Path contents);

    /** Frees its own resources; the content stays visible. */
    void close();

    /** The driver's existing mounts and devices, as text. */
    List<String> present(List<Path> targets, Path contents);
}
