//! The sample project of the pages: the same steps as those of `tata demo`, and the same mark.

use std::{fs, sync::Arc};

use tata_web::Sample;

use crate::{commands::demo, config::Config};

pub(super) fn sample(config: &Arc<Config>) -> Sample {
    let folder = config.data_dir.join("demo");
    let (of_steps, read, written) = (Arc::clone(config), folder.clone(), folder);
    Sample {
        title: demo::TITLE.to_owned(),
        steps: Arc::new(move || demo::steps(&of_steps).map_err(|error| format!("{error:#}"))),
        marked: Arc::new(move || fs::read_to_string(read.join(demo::MARK)).ok()?.trim().parse().ok()),
        mark: Arc::new(move |id| {
            let done = match id {
                Some(id) => fs::create_dir_all(&written)
                    .and_then(|()| fs::write(written.join(demo::MARK), id.to_string())),
                None if written.exists() => fs::remove_dir_all(&written),
                None => Ok(()),
            };
            done.map_err(|error| format!("{} cannot be written: {error}", written.display()))
        }),
    }
}
